import assert from "node:assert/strict";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import type { IngestEntry } from "../../supabase/functions/_shared/entries/ingest.ts";
import { createRandom, pick } from "../segments/segment_world.ts";
import {
  modelCounts,
  type ModelEvent,
  modelFunnel,
  type ModelMeasure,
  modelPaths,
  modelRetention,
  type ModelSource,
} from "./explore_model.ts";

const day = 86_400_000;
const hour = 3_600_000;
const end = Date.parse("2026-11-10T00:00:00Z");
const names = ["seen", "carted", "bought"];
/** Some are not numbers. The sum of the others needs decimals. */
const totals = [0.1, 0.2, 19.99, -7.5, 0, 1200, "12", true, null, [3], { of: 3 }];
/** The clocks of New York change on 1 November. */
const zones = ["UTC", "America/New_York", "Asia/Kathmandu"];

/** Events and merges of few customers around the change of a clock, many at the same time. */
function createEntries(random: () => number, workspaceId: string): IngestEntry[] {
  return Array.from({ length: 120 }, (): IngestEntry => {
    const external = `user-${Math.floor(random() * 12)}`;
    const anon = `browser-${Math.floor(random() * 12)}`;
    if (random() < 0.1) {
      return {
        workspace_id: workspaceId,
        kind: "identify",
        external_id: external,
        anon_id: anon,
      };
    }
    const at = end - Math.floor(random() * 40) * 6 * hour - pick(random, [0, 0, 1, 61_000]);
    return {
      workspace_id: workspaceId,
      kind: "event",
      ...(random() < 0.5 ? { external_id: external } : { anon_id: anon }),
      name: pick(random, names),
      occurred_at: new Date(at).toISOString(),
      properties: {
        ...random() < 0.8 ? { plan: pick(random, ["a", "b", 5, true, null]) } : {},
        ...random() < 0.8 ? { cart: { total: pick(random, totals) } } : {},
      },
    };
  });
}

async function readModel({ sql, workspaceId }: ApiWorld): Promise<ModelEvent[]> {
  return await sql<ModelEvent[]>`
    select e.id, e.name, (extract(epoch from e.occurred_at) * 1000)::float8 as at,
      i.customer_id as "customerId", e.properties
    from public.events as e
    join public.identities as i on i.workspace_id = e.workspace_id and i.id = e.identity_id
    where e.workspace_id = ${workspaceId} and e.kind = 'event'`;
}

async function explore(world: ApiWorld, kind: string, body: unknown) {
  const token = await world.createKey(["events:read"]);
  const response = await world.send({ method: "POST", path: `/explore/${kind}`, token, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  assert.equal(response.body.is_exact, true);
  return response.body;
}

function createSource(random: () => number): ModelSource {
  const event = pick(random, names);
  if (random() < 0.7) return { event };
  return { event, where: [{ property: "plan", op: "eq", value: pick(random, ["a", 5]) }] };
}

function createSpan(random: () => number) {
  const since = end - Math.floor(1 + random() * 40) * 6 * hour;
  const until = Math.min(end + hour, since + Math.floor(1 + random() * 30) * 6 * hour);
  return { since, until };
}

const asText = ({ since, until }: { since: number; until: number }) => ({
  since: new Date(since).toISOString(),
  until: new Date(until).toISOString(),
});

async function compareFunnel(world: ApiWorld, events: ModelEvent[], random: () => number) {
  const steps = Array.from({ length: 2 + Math.floor(random() * 3) }, () => createSource(random));
  const hours = pick(random, [6, 24, 96]);
  const span = createSpan(random);
  const body = { steps, within: `${hours}h`, ...asText(span) };
  const result = await explore(world, "funnel", body);
  const expected = modelFunnel(events, { steps, withinMs: hours * hour, span });
  assert.deepEqual(
    result.steps,
    expected.map((step, index) => ({ event: steps[index]!.event, ...step })),
    JSON.stringify(body),
  );
}

/** Rounds averages, whose last digit is the database's. */
function roundAll(numbers: (number | null)[], { measure }: ModelMeasure): (number | null)[] {
  if (measure !== "average") return numbers;
  return numbers.map((number) => number === null ? null : Number(number.toPrecision(12)));
}

function createMeasure(random: () => number): ModelMeasure {
  const measure = pick(random, ["events", "customers", "sum", "average"] as const);
  const addsUp = measure === "sum" || measure === "average";
  return { measure, ...addsUp ? { value: "cart.total" } : {} };
}

async function compareCounts(world: ApiWorld, events: ModelEvent[], random: () => number) {
  const source = createSource(random);
  const span = createSpan(random);
  const property = random() < 0.6 ? "plan" : undefined;
  const measured = createMeasure(random);
  const top = pick(random, [1, 2, 5]);
  const body = {
    event: source,
    ...measured,
    interval: pick(random, ["hour", "day", "week", "month"]),
    zone: pick(random, zones),
    ...asText(span),
    ...(property === undefined ? {} : { property, top }),
  };
  const result = await explore(world, "counts", body);
  const starts = result.starts.map(Date.parse);
  const model = modelCounts(events, { source, starts, until: span.until, property, measured });
  const title = JSON.stringify(body);
  const shown = result.series.filter(({ kind }: { kind: string }) => kind === "value")
    .map(({ value }: { value: unknown }) => JSON.stringify(value));
  const values = new Set(shown);
  if (property !== undefined) {
    const weights = shown.map((value: string) => model.weigh(model.groups.get(value) ?? []));
    assert.deepEqual(weights, model.weights.slice(0, top), title);
  }
  for (const { kind, value, total, counts } of result.series) {
    const members = model.found.filter(({ properties }) => {
      const own = JSON.stringify(properties.plan ?? null);
      if (kind === "all") return true;
      if (kind === "missing") return own === "null";
      return kind === "value" ? own === JSON.stringify(value) : own !== "null" && !values.has(own);
    });
    assert.ok(members.length > 0, `${kind} of ${title}`);
    const expected = [model.count(members), ...model.over(members)];
    const found = roundAll([total, ...counts], measured);
    assert.deepEqual(found, roundAll(expected, measured), `${kind} of ${title}`);
  }
  const kinds = result.series.map(({ kind }: { kind: string }) => kind);
  if (property !== undefined) assert.equal(kinds.includes("other"), model.weights.length > top);
  else assert.equal(kinds.length, model.found.length > 0 ? 1 : 0, title);
}

async function compareRetention(world: ApiWorld, events: ModelEvent[], random: () => number) {
  const [start, back] = [createSource(random), createSource(random)];
  const span = createSpan(random);
  const periods = pick(random, [1, 3, 8]);
  const interval = pick(random, ["day", "week"]);
  const zone = pick(random, zones);
  const body = { start, return: back, interval, periods, zone, ...asText(span) };
  const result = await explore(world, "retention", body);
  // The starts of the periods after the cohorts, from the other exploration.
  const until = span.until + (periods + 1) * 7 * day;
  const counted = await explore(world, "counts", {
    event: start,
    interval,
    zone,
    ...asText({ ...span, until }),
  });
  const expected = modelRetention(events, {
    start,
    back,
    starts: counted.starts.map(Date.parse),
    cohorts: result.cohorts.length,
    periods,
    until: span.until,
  });
  const found = result.cohorts.map(({ customers, returned }: Record<string, unknown>) => ({
    customers,
    returned: (returned as (number | null)[]).map((count) => count ?? 0),
  }));
  assert.deepEqual(found, expected, JSON.stringify(body));
}

async function comparePaths(world: ApiWorld, events: ModelEvent[], random: () => number) {
  const start = createSource(random);
  const span = createSpan(random);
  const hours = pick(random, [6, 48]);
  const depth = pick(random, [1, 3]);
  const body = { start, within: `${hours}h`, depth, top: 20, ...asText(span) };
  const result = await explore(world, "paths", body);
  const paths = modelPaths(events, { start, withinMs: hours * hour, depth, span });
  const expected = new Map<string, number>();
  for (const path of paths) {
    for (let step = 1; step <= Math.min(depth, path.length + 1); step++) {
      const from = step === 1 ? start.event : path[step - 2];
      const key = JSON.stringify([step, from, path[step - 1] ?? "(end)"]);
      expected.set(key, (expected.get(key) ?? 0) + 1);
    }
  }
  const found = result.links.map((link: Record<string, Record<string, unknown>>) => [
    JSON.stringify([link.step, link.from!.name, link.to!.name ?? `(${link.to!.kind})`]),
    link.customers,
  ]);
  assert.equal(result.customers, paths.length);
  assert.deepEqual(new Map(found), expected, JSON.stringify(body));
}

Deno.test("explorations agree with naive models in random worlds", async (t) => {
  await using db = await createTestDatabase();
  await using world = await createApiWorld({ db });
  const worlds = Number(Deno.env.get("TEST_WORLDS") ?? 2);
  for (let seed = 1; seed <= worlds; seed++) {
    const random = createRandom(seed);
    const workspaceId = await world.createWorkspace();
    await ingestEntries(db.sql, createEntries(random, workspaceId));
    const own: ApiWorld = {
      ...world,
      workspaceId,
      createKey: (scopes) => world.createKey(scopes, workspaceId),
    };
    const events = await readModel(own);
    for (let round = 0; round < 12; round++) {
      await t.step(`world ${seed}, round ${round}`, async () => {
        await compareFunnel(own, events, random);
        await compareCounts(own, events, random);
        await compareRetention(own, events, random);
        await comparePaths(own, events, random);
      });
    }
  }
});

Deno.test("a day that a zone skipped does not count as an interval", async () => {
  await using db = await createTestDatabase();
  const rows = await db.sql<{ start: Date }[]>`
    select unnest(private.interval_starts(
      'day', '2011-12-29T12:00:00Z', '2011-12-31T12:00:00Z', 'Pacific/Apia'
    )) as start`;
  // The 30th of December 2011 was left out.
  assert.deepEqual(rows.map(({ start }) => start.toISOString()), [
    "2011-12-29T10:00:00.000Z",
    "2011-12-30T10:00:00.000Z",
    "2011-12-31T10:00:00.000Z",
  ]);
});
