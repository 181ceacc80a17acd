import assert from "node:assert/strict";
import {
  type AttemptResult,
  completeDeliveries,
  expireClaims,
} from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import {
  createDispatchWorld,
  type DispatchWorld,
  type TestDestination,
} from "../../testing/service/dispatch_world.ts";
import { createWorker, describe } from "../../testing/data/queue.ts";

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;

interface StatsWorld extends AsyncDisposable {
  dispatch: DispatchWorld;
  api: ApiWorld;
  destination: TestDestination;
}

/** A destination with the clock half past noon, so that hours and days have neighbours. */
async function createStatsWorld(): Promise<StatsWorld> {
  await using stack = new AsyncDisposableStack();
  const dispatch = stack.use(await createDispatchWorld());
  const { clock, db } = dispatch;
  clock.advance(12.5 * hourMs - clock.now.getTime() % dayMs);
  const api = stack.use(await createApiWorld({ db, now: () => clock.now }));
  const destination = await dispatch.addDestination();
  const kept = stack.move();
  return { dispatch, api, destination, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function attempt(
  { id, workspaceId }: TestDestination,
  at: Date,
  result: Partial<AttemptResult> = {},
): AttemptResult {
  const delivery = {
    claim: crypto.randomUUID(),
    workspace_id: workspaceId,
    destination_id: id,
    message_id: crypto.randomUUID(),
    message_created_at: at,
    event_type: "order_created",
    attempt_number: 1,
    trigger: "event" as const,
  };
  return describe(delivery, at, result);
}

async function readStats({ api, destination }: StatsWorld, query = "") {
  const { id, workspaceId } = destination;
  const token = await api.createKey(["destinations:read"], workspaceId);
  const { status, body } = await api.send({ path: `/destinations/${id}/stats${query}`, token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Of these ok, so many failed, without a duration. */
function counts(ok: number, failed: number) {
  return { ok, failed, duration_ms: null };
}

/** Figures of the log itself without pings, by the interval and, with `at` null, in all. */
async function readLog({ dispatch, destination }: StatsWorld, interval: string) {
  const rows = await dispatch.sql`
    select
      private.rfc3339(date_trunc(${interval}, d.attempted_at, 'UTC')) as at,
      count(*) filter (where d.ok)::integer as ok,
      count(*) filter (where not d.ok)::integer as failed,
      round(avg(d.duration_ms))::integer as mean,
      percentile_disc(0.5) within group (order by d.duration_ms) as p50,
      percentile_disc(0.95) within group (order by d.duration_ms) as p95,
      max(d.duration_ms) as max
    from public.deliveries as d
    where d.destination_id = ${destination.id} and d.trigger <> 'test'
    group by rollup (1)`;
  return new Map(rows.map(({ at, ...figures }) => [at, figures]));
}

/** Random results of three days: most response within a second, some time out or never leave. */
function makeResults(world: StatsWorld, count: number): AttemptResult[] {
  const { now } = world.dispatch.clock;
  return Array.from({ length: count }, () => {
    const at = new Date(now.getTime() - Math.floor(Math.random() * 3 * dayMs));
    const chance = Math.random();
    if (chance < 0.05) return attempt(world.destination, at, failure("timeout", 15_003));
    if (chance < 0.1) return attempt(world.destination, at, failure("dns", null));
    const duration_ms = Math.floor(Math.exp(Math.random() * 9));
    const trigger = chance < 0.2 ? "test" : chance < 0.3 ? "replay" : "event";
    return attempt(world.destination, at, { duration_ms, trigger, ok: chance < 0.8 });
  });
}

function failure(error: string, duration_ms: number | null): Partial<AttemptResult> {
  return { action: "exhausted", ok: false, status_code: null, error, duration_ms };
}

Deno.test("a destination's figures match its log after repeated and concurrent reports", async () => {
  await using world = await createStatsWorld();
  const { dispatch } = world;
  const other = await dispatch.addDestination();
  const results = makeResults(world, 400);
  const batches = [results.slice(0, 250), results.slice(150), results.slice(100, 300)];
  const stranger = [attempt(other, dispatch.clock.now, { duration_ms: 14_000 })];
  await Promise.all(
    [...batches, stranger, ...batches].map((batch) => completeDeliveries(dispatch.sql, batch)),
  );
  const [row] = await dispatch.sql<{ steps: number[] }[]>`
    select to_jsonb(private.duration_steps()) as steps`;
  const bucketOf = (ms: number) => row!.steps.findLastIndex((step) => step <= ms);

  for (const interval of ["hour", "day"]) {
    const log = await readLog(world, interval);
    const since = new Date(dispatch.clock.now.getTime() - 4 * dayMs).toISOString();
    const { totals, data } = await readStats(world, `?interval=${interval}&since=${since}`);
    assert.equal(data.length, interval === "hour" ? 97 : 5);
    for (const { at, ok, failed, duration_ms } of [{ at: null, ...totals }, ...data]) {
      const logged = log.get(at);
      assert.deepEqual([ok, failed], [logged?.ok ?? 0, logged?.failed ?? 0], at);
      assert.deepEqual(
        [duration_ms?.mean, duration_ms?.max],
        [logged?.mean ?? undefined, logged?.max ?? undefined],
        at,
      );
      for (const name of duration_ms ? ["p50", "p95"] : []) {
        const said = `${name} of ${at}: ${duration_ms[name]}, in truth ${logged![name]}`;
        assert.equal(bucketOf(duration_ms[name]), bucketOf(logged![name]), said);
        assert(duration_ms[name] <= duration_ms.max, said);
      }
    }
  }
});

Deno.test("a percentile is exact in a bucket with one attempt, and otherwise between its bounds", async () => {
  await using world = await createStatsWorld();
  const { sql, clock } = world.dispatch;
  const log = (durations: number[]) =>
    completeDeliveries(
      sql,
      durations.map((duration_ms) => attempt(world.destination, clock.now, { duration_ms })),
    );
  await log([42]);
  assert.deepEqual((await readStats(world)).totals.duration_ms, {
    mean: 42,
    p50: 42,
    p95: 42,
    max: 42,
  });
  // The 95th in a hundred is the 20th of these 21: the first of two from 15 s on.
  await log([...Array.from({ length: 17 }, () => 0), 140, 15_000, 15_010]);
  const { mean, p50, p95, max } = (await readStats(world)).totals.duration_ms;
  assert.deepEqual({ mean, p50, p95, max }, { mean: 1438, p50: 0, p95: 15_005, max: 15_010 });
});

Deno.test("lost attempts count as in the health, and pings in neither", async () => {
  await using world = await createStatsWorld();
  const { dispatch, destination, api } = world;
  const worker = createWorker(dispatch);
  await dispatch.publish("order_created", {});
  await worker.claim();
  dispatch.clock.advance(61_000);
  assert.equal(await expireClaims(dispatch.sql, dispatch.clock.now), 1);
  await dispatch.sql`select ops.send_test_ping(${destination.id}, ${dispatch.clock.now})`;
  const claimed = await worker.claim();
  assert.deepEqual(claimed.map(({ trigger }) => trigger).toSorted(), ["retry", "test"]);
  await worker.complete(claimed.filter(({ trigger }) => trigger === "test"));

  const { totals } = await readStats(world);

  assert.deepEqual(totals, { ok: 0, failed: 1, duration_ms: null });
  const { id, workspaceId } = destination;
  const token = await api.createKey(["destinations:read", "events:read"], workspaceId);
  const { health } = (await api.send({ path: `/destinations/${id}`, token })).body;
  assert.deepEqual([health.ok_24h, health.failed_24h], [0, 1]);
  const usage = (await api.send({ path: "/usage", token })).body;
  assert.deepEqual([usage.totals.deliveries, usage.totals.failures], [1, 1]);
});

Deno.test("the health of 24 hours counts the same hours as the statistics", async () => {
  await using world = await createStatsWorld();
  const { dispatch: { sql, clock }, destination: { id, workspaceId }, api } = world;
  // The view goes by the clock of the database.
  const [row] = await sql<{ now: Date }[]>`
    insert into public.delivery_stats (workspace_id, destination_id, hour, ok, failed)
    select ${workspaceId}, ${id}, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', 1, 0
    from generate_series(0, 30) as h
    returning now()`;
  clock.now = row!.now;
  const { totals } = await readStats(world);
  const token = await api.createKey(["destinations:read"], workspaceId);
  const { health } = (await api.send({ path: `/destinations/${id}`, token })).body;
  assert.deepEqual([health.ok_24h, health.failed_24h], [totals.ok, totals.failed]);
  assert.equal(totals.ok, 25);
});

Deno.test("a range starts with the hour or day it is in, and ends before until", async () => {
  await using world = await createStatsWorld();
  const { sql, clock } = world.dispatch;
  const at = (hours: number) => new Date(clock.now.getTime() - hours * hourMs);
  const times = [at(0), at(1), at(24), at(25), at(30 * 24), at(31 * 24)];
  const result = failure("dns", null);
  await completeDeliveries(sql, times.map((time) => attempt(world.destination, time, result)));

  const usual = await readStats(world);
  assert.equal(usual.interval, "hour");
  assert.equal(usual.data.length, 25);
  assert.equal(usual.since, usual.data[0].at);
  assert.equal(Date.parse(usual.since), at(24.5).getTime());
  assert.equal(Date.parse(usual.until), clock.now.getTime());
  assert.deepEqual(usual.data[0], { at: usual.since, ...counts(0, 1) });
  assert.deepEqual(usual.totals, counts(0, 3));
  const days = await readStats(world, "?interval=day");
  assert.equal(days.data.length, 31);
  assert.deepEqual(days.data[0], { at: days.since, ...counts(0, 1) });
  assert.deepEqual(days.totals, counts(0, 5));
  const until = `until=${at(0.5).toISOString()}`;
  const past = await readStats(world, `?since=${at(2).toISOString()}&${until}`);
  assert.deepEqual(past.data.map(({ failed }: { failed: number }) => failed), [0, 1]);
  const never = await readStats(
    world,
    `?since=${at(20).toISOString()}&until=${at(10).toISOString()}`,
  );
  assert.deepEqual(never.totals, counts(0, 0));
  assert.equal(never.data.length, 11);
});

Deno.test("days are those of UTC in a database of any time zone, also where its clocks change", async () => {
  await using world = await createStatsWorld();
  const { sql, db } = world.dispatch;
  const { id, workspaceId } = world.destination;
  await sql`
    insert into public.delivery_stats
    select ${workspaceId}, ${id}, at, 10, 0
    from generate_series('2026-10-20T05:00Z'::timestamptz, '2026-10-30T05:00Z', '24 hours') as at`;
  const database = new URL(db.url).pathname.slice(1);
  await sql.unsafe(`alter database ${database} set timezone = 'Europe/Berlin'`);
  const { data } = await readStats(
    world,
    "?since=2026-10-20T00:00:00Z&until=2026-10-31T00:00:00Z&interval=day",
  );
  assert.deepEqual(
    data.map(({ at, ok }: { at: string; ok: number }) => `${at} ${ok}`),
    Array.from({ length: 11 }, (_, day) => `2026-10-${20 + day}T00:00:00.000Z 10`),
  );
});

Deno.test("an empty or too long range of figures is invalid input", async () => {
  await using world = await createStatsWorld();
  const { id, workspaceId } = world.destination;
  const token = await world.api.createKey(["destinations:read"], workspaceId);
  for (
    const query of [
      "since=2026-01-02T00:00:00Z&until=2026-01-02T00:00:00Z",
      "since=2026-01-01T00:00:00Z&until=2026-03-01T00:00:00Z",
      "interval=day&since=2025-01-01T00:00:00Z&until=2026-03-01T00:00:00Z",
      "since=yesterday",
      "interval=week",
      "limit=3",
    ]
  ) {
    const response = await world.api.send({ path: `/destinations/${id}/stats?${query}`, token });
    assert.equal(response.status, 400, query);
  }
});

Deno.test("figures of a deleted destination are gone, but stay in its workspace's usage", async () => {
  await using world = await createStatsWorld();
  const { dispatch, destination, api } = world;
  await completeDeliveries(dispatch.sql, [attempt(destination, dispatch.clock.now)]);
  const { id, workspaceId } = destination;
  await dispatch.sql`delete from public.destinations where id = ${id}`;
  await dispatch.sql`select ops.run_hourly_tasks(${dispatch.clock.now})`;

  const token = await api.createKey(["destinations:read", "events:read"], workspaceId);
  const response = await api.send({ path: `/destinations/${id}/stats`, token });
  assert.equal(response.status, 404);
  const usage = await api.send({ path: "/usage", token });
  assert.equal(usage.body.totals.deliveries, 1);
});
