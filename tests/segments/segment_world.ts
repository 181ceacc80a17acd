import type postgres from "postgres";
import type { Condition, CustomerRows, EventRow, ModelWorld } from "./condition_model.ts";

/** Numbers from 0 to below 1 that repeat for a seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of the items. */
export function pick<T>(random: () => number, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!;
}

/** A random profile with attributes of all types, some missing. */
export function createProfile(random: () => number, now: number) {
  const some = <T>(items: readonly T[]) => random() < 0.7 ? { value: pick(random, items) } : {};
  const near = () => new Date(now + (random() - 0.5) * 60 * 86_400_000).toISOString();
  const attributes = {
    plan: some(["pro", "Pro", "free", 5, null]),
    score: some([0, 5, 12.5, 100, "5", true]),
    tags: some([["pro"], ["a", 5], {}]),
    renews_at: some([near(), near().slice(0, 10), "soon", 5, "2026-02-30", near().slice(0, 19)]),
    born: some([
      "1990-11-22",
      "1992-02-29",
      "1990-11-21T23:30:00Z",
      "1990-11-23",
      near().slice(0, 10),
    ]),
    address: some([{ city: "Berlin" }, { city: null }, "Berlin"]),
  };
  return {
    profile: {
      email: some(["ada@example.com", "Bob@Example.com", "o"]).value ?? null,
      country: some(["DE", "FR", "Berlin"]).value ?? null,
      first_name: some(["Pro", "Ada"]).value ?? null,
      timezone: some(["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland"])
        .value ?? null,
    },
    attributes: Object.fromEntries(
      Object.entries(attributes).flatMap(([key, one]) => "value" in one ? [[key, one.value]] : []),
    ),
  };
}

/** Random properties of an event. */
export function createProperties(random: () => number): Record<string, unknown> {
  return {
    ...(random() < 0.8 ? { total: pick(random, [0, 5, 12.5, 100, -1, "5"]) } : {}),
    ...(random() < 0.5 ? { category: pick(random, ["pro", "free", null]) } : {}),
    ...(random() < 0.3 ? { automated: pick(random, [true, false, "yes"]) } : {}),
    ...(random() < 0.3 ? { a: { b: pick(random, [5, "o"]) } } : {}),
  };
}

/** Reads all customers of a workspace with their identities and events, as the model wants them. */
export async function readCustomers(
  sql: postgres.Sql,
  workspaceId: string,
): Promise<CustomerRows[]> {
  const rows = await sql<
    {
      id: string;
      profile: Record<string, string | null>;
      createdAt: number;
      lastSeenAt: number;
      attributes: Record<string, unknown>;
      externalIds: string[];
      events: EventRow[];
    }[]
  >`
    select
      c.id, c.attributes,
      to_jsonb(c) as profile,
      floor(extract(epoch from c.created_at) * 1000)::float8 as "createdAt",
      floor(extract(epoch from c.last_seen_at) * 1000)::float8 as "lastSeenAt",
      (select coalesce(jsonb_agg(i.value), '[]') from public.identities as i
       where i.workspace_id = c.workspace_id and i.customer_id = c.id and i.kind = 'external'
      ) as "externalIds",
      (select coalesce(jsonb_agg(jsonb_build_object(
         'name', e.name, 'properties', e.properties,
         'at', floor(extract(epoch from least(e.occurred_at, e.received_at)) * 1000)
       )), '[]')
       from public.identities as i
       join public.events as e on e.workspace_id = i.workspace_id and e.identity_id = i.id
       where i.workspace_id = c.workspace_id and i.customer_id = c.id and e.kind = 'event'
      ) as events
    from public.customers as c
    where c.workspace_id = ${workspaceId}
    order by c.id`;
  return [...rows];
}

/** Reads the segments of a workspace as the model wants them. */
export async function readModelWorld(
  sql: postgres.Sql,
  workspaceId: string,
): Promise<ModelWorld> {
  const segments = await sql<{ id: string; condition: Condition | null; members: string[] }[]>`
    select s.id, s.condition, case when s.kind = 'static' then (
      select coalesce(jsonb_agg(m.customer_id), '[]') from public.segment_members as m
      where m.workspace_id = s.workspace_id and m.segment_id = s.id
    ) end as members
    from public.segments as s where s.workspace_id = ${workspaceId}`;
  return {
    live: new Map(segments.flatMap(({ id, condition }) => condition ? [[id, condition]] : [])),
    listed: new Map(
      segments.flatMap(({ id, condition, members }) => condition ? [] : [[id, new Set(members)]]),
    ),
  };
}
