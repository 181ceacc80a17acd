import assert from "node:assert/strict";
import {
  createTrackWorld,
  type ServiceResponse,
  type TrackInstance,
} from "../../testing/service/app.ts";
import type { TestDatabase } from "../../testing/postgres/database.ts";
import { createPlan } from "../../testing/data/factories.ts";

const event = { external_id: "user-1", name: "viewed" };

function planOf(ingestPerSecond: number, ingestBurst: number) {
  return (db: TestDatabase) => createPlan(db.sql, { ingestPerSecond, ingestBurst });
}

function bulkOf(size: number) {
  return { events: Array(size).fill(event) };
}

function assertLimited(response: ServiceResponse): void {
  assert.equal(response.status, 429, JSON.stringify(response.body));
  assert.equal(response.body.code, "rate_limited");
  assert.match(response.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  assert.match(response.headers.get("ratelimit-remaining") ?? "", /^\d+$/);
}

Deno.test("track takes one token per entry and returns 429 with Retry-After beyond the quota", async () => {
  await using world = await createTrackWorld({ plan: planOf(1, 100) });
  const began = performance.now();
  const bulk = await world.send(bulkOf(90));
  assert.equal(bulk.status, 200);
  assert.equal(bulk.headers.get("ratelimit-limit"), "100");
  assert.equal(bulk.headers.get("ratelimit-remaining"), "10");
  assert.equal(bulk.headers.get("ratelimit-reset"), "90");
  assertLimited(await world.send(bulkOf(90)));
  let accepted = 90;
  let response = await world.send(event);
  while (response.status === 200) {
    accepted += 1;
    response = await world.send(event);
  }
  assertLimited(response);
  const refilled = Math.ceil((performance.now() - began) / 1000);
  assert(accepted >= 100 && accepted <= 100 + refilled, `${accepted} entries accepted`);
  const rows = await world.db.sql<{ count: number }[]>`
    select count(*)::integer as count from public.events
  `;
  assert.equal(rows[0]!.count, accepted);
});

Deno.test("track accepts requests again after Retry-After", async () => {
  let at = Date.now();
  await using world = await createTrackWorld({ plan: planOf(5, 50), now: () => new Date(at) });
  assert.equal((await world.send(bulkOf(45))).status, 200);
  const refused = await world.send(bulkOf(20));
  assertLimited(refused);
  const waitMs = Number(refused.headers.get("retry-after")) * 1000;
  assert.equal(waitMs, 3000);
  at += waitMs;
  await world.db.sql`
    update private.rate_limit_buckets
    set refilled_at = refilled_at - ${`${waitMs} milliseconds`}::interval
  `;
  assert.equal((await world.send(bulkOf(20))).status, 200);
});

Deno.test("a bulk larger than the bucket needs a full bucket and pays all its tokens", async () => {
  await using world = await createTrackWorld({ plan: planOf(1, 10) });
  const began = performance.now();
  const bulk = await world.send(bulkOf(25));
  assert.equal(bulk.status, 200);
  assert.equal(bulk.headers.get("ratelimit-remaining"), "0");
  const refused = await world.startInstance().send(event);
  assertLimited(refused);
  const seconds = Number(refused.headers.get("retry-after"));
  const refilled = Math.ceil((performance.now() - began) / 1000);
  assert(seconds >= 16 - refilled && seconds <= 16, `${seconds} s`);
});

Deno.test("track refuses callers over quota without asking the database", async () => {
  let at = Date.now();
  await using world = await createTrackWorld({ plan: planOf(1, 10), now: () => new Date(at) });
  assert.equal((await world.send(bulkOf(10))).status, 200);
  assertLimited(await world.send(event));
  const tokens = async () => {
    const rows = await world.db.sql`select * from private.rate_limit_buckets`;
    return [...rows];
  };
  const before = await tokens();
  for (let i = 0; i < 50; i++) assertLimited(await world.send(event));
  assert.deepEqual(await tokens(), before);
  at += 1000;
  await world.send(event);
  assert.notDeepEqual(await tokens(), before);
});

Deno.test("track shares one quota between instances", async () => {
  await using world = await createTrackWorld({ plan: planOf(1, 100) });
  const instances = [world, world.startInstance(), world.startInstance()];
  const responses = await Promise.all(
    Array.from({ length: 150 }, (_, i) => instances[i % 3]!.send(event)),
  );
  const admitted = responses.filter(({ status }) => status === 200).length;
  assert(admitted >= 90 && admitted <= 110, `${admitted} admitted`);
});

Deno.test("track stays within 10 % of the quota over a minute at twice the quota, on two instances", async () => {
  const perSecond = 20;
  const tickMs = 500;
  let at = Date.now();
  await using world = await createTrackWorld({
    plan: planOf(perSecond, perSecond),
    now: () => new Date(at),
  });
  const instances: TrackInstance[] = [world, world.startInstance()];
  // The burst is not part of the minute.
  await world.send(bulkOf(perSecond));
  let admitted = 0;
  const began = performance.now();
  for (let tick = 0; tick < 60_000 / tickMs; tick++) {
    at += tickMs;
    // The database's clock runs on its own: each tick sets how much time has passed for it.
    await world.db.sql`
      update private.rate_limit_buckets
      set refilled_at = clock_timestamp() - ${`${tickMs} milliseconds`}::interval
    `;
    const sent = 2 * perSecond * tickMs / 1000;
    const responses = await Promise.all(
      Array.from({ length: sent }, (_, i) => instances[i % 2]!.send(event)),
    );
    admitted += responses.filter(({ status }) => status === 200).length;
  }
  const quota = perSecond * 60;
  // The database's clock also ran while the requests of a tick were under way.
  const refilled = perSecond * (performance.now() - began) / 1000;
  assert(admitted >= quota * 0.9, `${admitted} admitted of ${quota}`);
  assert(admitted <= quota * 1.1 + refilled, `${admitted} admitted of ${quota} and ${refilled}`);
});

Deno.test("track accepts requests while the limiter cannot reach its state", async () => {
  await using world = await createTrackWorld({ plan: planOf(1, 1) });
  await world.db.sql`
    revoke execute on function private.take_tokens(uuid, text, integer, integer, integer)
    from signalpost_ingest
  `;
  for (let i = 0; i < 5; i++) assert.equal((await world.send(event)).status, 200);
  assert(world.logged.some((line) => line.includes("rate limit unreachable")));
});
