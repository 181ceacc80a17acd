import assert from "node:assert/strict";
import type { Definition, Step } from "../../supabase/functions/_shared/journeys/definition.ts";
import { createRandom, pick } from "../segments/segment_world.ts";
import {
  createJourneyWorld,
  hour,
  type JourneyWorld,
  minute,
  second,
  type TestEntry,
} from "./journey_world.ts";
import { countLog, listCounts, readFigures, rehearse } from "./rehearsal_world.ts";

const names = ["a", "b", "c"];

/** Random steps, each of which leads to later ones only, with random rules of entry and exit. */
function createDefinition(random: () => number, refs: Refs): Definition {
  const count = 3 + Math.floor(random() * 6);
  const steps: Record<string, Step> = { [`s${count}`]: { exit: {} } };
  for (let n = count - 1; n >= 0; n--) {
    const later = () => `s${n + 1 + Math.floor(random() * (count - n))}`;
    steps[`s${n}`] = createStep({ random, later, refs });
  }
  const again = pick(random, ["never", "after_exit", "always", { after: "2h" }] as const);
  const field = { field: "trigger.kind", op: "neq", value: pick(random, names) };
  const often = { event: pick(random, names), count: { gte: 3 } };
  const match = [{ property: "kind", same_as: "trigger.kind" }];
  return {
    trigger: { event: "start" },
    entry: {
      again,
      ...(random() < 0.5 ? { key: "trigger.kind" } : {}),
      ...(random() < 0.5 ? { when: field } : {}),
      ...(random() < 0.5 ? { holdout: 30 } : {}),
    },
    ...(random() < 0.6 ? { goal: { event: pick(random, names), match, within: "20h" } } : {}),
    ...(random() < 0.3 ? { exit_on: { event: pick(random, names), match } } : {}),
    ...(random() < 0.3 ? { exit_when: often } : {}),
    start: "s0",
    steps,
  };
}

interface Refs {
  template: string;
  sender: string;
}

function createStep(
  { random, later, refs }: { random: () => number; later: () => string; refs: Refs },
): Step {
  const kind = Math.floor(random() * 7);
  const duration = `${1 + Math.floor(random() * 90)}m`;
  if (kind === 0) return { wait: { for: duration }, next: later() };
  if (kind === 1) return { send: { ...refs, on_cap: "skip" }, next: later() };
  if (kind === 2 || kind === 3) {
    const since = pick(random, ["step", "entry"] as const);
    const wait_for = { event: pick(random, names), timeout: duration, since };
    return { wait_for, next: later(), on_timeout: later() };
  }
  if (kind === 4) {
    return { split: [{ weight: 1, next: later() }, { weight: 2, next: later() }] };
  }
  if (kind === 5) {
    return { update: { attributes: { last: pick(random, names) } }, next: later() };
  }
  const when = pick(random, [
    { field: "attributes.last", op: "eq", value: pick(random, names) },
    { event: pick(random, names), within: "1h", count: { gte: 2 } },
  ]);
  return { branch: [{ when, next: later() }], else: later() };
}

/** A template and a sender that a definition may name. */
async function createRefs({ sql, workspaceId }: JourneyWorld): Promise<Refs> {
  const [row] = await sql<[Refs]>`
    with sender as (
      insert into public.senders (workspace_id, name, provider, from_address)
      values (${workspaceId}, 'Shop', 'inbox', 'shop@example.com')
      returning id
    ),
    template as (
      insert into public.templates (workspace_id, name, version)
      values (${workspaceId}, 'Some', 1)
      returning id
    )
    select t.id as template, s.id as sender from template as t, sender as s`;
  return row;
}

/** Tracks an entry at the world's time, merges that it makes included. */
async function track(world: JourneyWorld, entry: TestEntry): Promise<void> {
  const { sql } = world;
  const known = await sql<{ id: string }[]>`select id from public.customer_merges`;
  await world.track(entry);
  await sql`
    update public.customer_merges set merged_at = ${new Date(world.now)}
    where not ${sql.json(known.map(({ id }) => id))} ? id::text`;
}

/** A random entry: an event of one of some people, on a device or signed in, or a sign-in. */
function createEntry(random: () => number): TestEntry {
  const person = Math.floor(random() * 4);
  const device = { external_id: undefined, anon_id: `device-${person}-${pick(random, [1, 2])}` };
  const signedIn = { external_id: `user-${person}` };
  if (random() < 0.1) {
    const profile = person < 2 ? { email: `user-${person}@example.com` } : {};
    return { ...device, ...signedIn, kind: "identify", profile, attributes: {} };
  }
  const properties = { kind: pick(random, names) };
  return {
    ...pick(random, [device, signedIn]),
    name: pick(random, ["start", ...names]),
    properties,
  };
}

/** The figures of a journey, with what would become of its sends if they were sent now. */
async function predictable(world: JourneyWorld, journeyId: string): Promise<string[]> {
  const sends = await world.sql<{ step: string; kind: string; count: number }[]>`
    select s.step, case when c.email is null then 'skipped:no_address' else 'sent' end as kind,
      count(*)::integer as count
    from public.sends as s
    left join public.customers as c on c.workspace_id = s.workspace_id and c.id = s.customer_id
    where s.journey_id = ${journeyId}
    group by 1, 2`;
  return [...await readFigures(world, journeyId), ...listCounts(sends)].toSorted();
}

/** The number of rows in every table but that of rehearsals. */
async function countRows({ sql }: JourneyWorld): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class as c
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'rehearsals'
    order by 1`;
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*) as n from ${name}`);
  const rows = await sql.unsafe(counts.join(" union all "));
  return Object.fromEntries(rows.map(({ name, n }) => [name, Number(n)]));
}

for (const seed of [1, 2, 3, 4]) {
  Deno.test(`a rehearsal of history equals the engine, and writes nothing (${seed})`, async () => {
    const random = createRandom(seed);
    await using world = await createJourneyWorld();
    const since = world.now - second;
    const definition = createDefinition(random, await createRefs(world));
    const journeyId = await world.publish(definition);
    for (let n = 0; n < 40; n++) {
      const jump = pick(random, [1, second, 10 * minute, 25 * minute, hour]);
      world.now += jump;
      if (jump > second) await world.settle();
      await track(world, createEntry(random));
      await world.settle();
    }
    const figures = await readFigures(world, journeyId);
    assert.deepEqual(figures, await countLog(world, journeyId));
    const before = await countRows(world);
    const { counts, state, error } = await rehearse(world, { journeyId, definition, since });
    assert.deepEqual({ state, error }, { state: "done", error: null });
    const ofRuns = counts.filter(({ kind }) => !kind.startsWith("not_entered:"));
    assert.deepEqual(
      listCounts(ofRuns),
      await predictable(world, journeyId),
      JSON.stringify(definition),
    );
    assert.deepEqual(await countRows(world), before);
  });
}
