import assert from "node:assert/strict";
import { createDispatchWorld, type DispatchWorld } from "../../testing/service/dispatch_world.ts";
import { createWorker, readLane } from "../../testing/data/queue.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Publishes to the one destination until it has failed that many times more. */
async function failTimes(world: DispatchWorld, count: number, everyMs = 0): Promise<void> {
  const worker = createWorker(world);
  for (let i = 0; i < count; i++) {
    await world.publish("order_created", { i });
    const claimed = await worker.claim(1);
    assert.equal(claimed.length, 1, `failure ${i + 1} finds something to claim`);
    await worker.fail(claimed, { action: "exhausted", next_attempt_at: null });
    world.clock.advance(everyMs);
  }
}

/** Types and reasons of the messages about a destination, oldest first. */
async function readNews(world: DispatchWorld): Promise<[string, string | null][]> {
  const rows = await world.sql<{ event_type: string; reason: string | null }[]>`
    select event_type, body::jsonb #>> '{payload,reason}' as reason
    from public.webhook_messages where event_type like 'destination.%' order by created_at, id
  `;
  return rows.map((row) => [row.event_type, row.reason]);
}

Deno.test("ten failures in a row open the circuit for 30 s, and a success in between does not", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  const worker = createWorker(world);

  await failTimes(world, 9);
  await world.publish("order_created", {});
  await worker.complete(await worker.claim());
  await failTimes(world, 9);
  assert.equal((await readLane(world, id)).open_until, null);
  await failTimes(world, 1);

  const lane = await readLane(world, id);
  assert.equal(lane.open_until!.getTime(), world.clock.now.getTime() + 30 * secondMs);
  await world.publish("order_created", {}, {}, {});
  assert.deepEqual(await worker.claim(), []);
  assert.equal((await readLane(world, id)).ready_at!.getTime(), lane.open_until!.getTime());
});

Deno.test("a half-open circuit lets one probe through, and opens for longer when it fails", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await failTimes(world, 10);
  await world.publish("order_created", {}, {}, {}, {});
  const worker = createWorker(world);

  for (const seconds of [60, 120, 240, 300, 300]) {
    world.clock.now = (await readLane(world, id)).open_until!;
    const probes = await worker.claim();
    assert.equal(probes.length, 1);
    await worker.fail(probes);
    const { open_until } = await readLane(world, id);
    assert.equal(open_until!.getTime() - world.clock.now.getTime(), seconds * secondMs);
  }
});

Deno.test("successful probes let twice as many through, until the circuit is closed", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination({ maxConcurrency: 10 });
  await failTimes(world, 10);
  await world.publish("order_created", ...Array.from({ length: 100 }, (_, n) => ({ n })));
  world.clock.advance(30 * secondMs);
  const worker = createWorker(world);

  const sizes = [];
  for (let i = 0; i < 5; i++) {
    const claimed = await worker.claim();
    sizes.push(claimed.length);
    await worker.complete(claimed, { duration_ms: 1_000 });
  }

  assert.deepEqual(sizes, [1, 2, 4, 8, 10]);
  const lane = await readLane(world, id);
  assert.deepEqual([lane.probes, lane.open_until], [null, null]);
});

Deno.test("a half-open circuit opens again when a probe fails after one that succeeded", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await failTimes(world, 10);
  await world.publish("order_created", {}, {}, {}, {});
  const worker = createWorker(world);

  world.clock.now = (await readLane(world, id)).open_until!;
  await worker.complete(await worker.claim());
  const probes = await worker.claim();
  assert.equal(probes.length, 2);
  await worker.fail(probes);
  const { open_until } = await readLane(world, id);
  assert.equal(open_until!.getTime() - world.clock.now.getTime(), 30 * secondMs);
  assert.deepEqual(await worker.claim(), []);
});

Deno.test("failures of requests from before the circuit opened do not keep it open", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination({ maxConcurrency: 20 });
  await world.publish("order_created", ...Array.from({ length: 20 }, (_, n) => ({ n })));
  const worker = createWorker(world);
  const claimed = await worker.claim();

  await worker.fail(claimed.slice(0, 10));
  const opened = await readLane(world, id);
  world.clock.advance(10 * secondMs);
  await worker.fail(claimed.slice(10));

  assert.deepEqual((await readLane(world, id)).open_until, opened.open_until);
});

Deno.test("failing and recovered are each sent once, to the other destinations", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination({ eventTypes: ["order_created"] });
  await world.addDestination({ eventTypes: ["destination.*"], enabled: false });

  await failTimes(world, 4, 2 * minuteMs);
  assert.deepEqual(await readNews(world), []);
  await failTimes(world, 4, 2 * minuteMs);
  assert.deepEqual(await readNews(world), [["destination.failing", "status_500"]]);
  assert.equal((await readLane(world, id)).is_failing, true);
  const worker = createWorker(world);
  for (let i = 0; i < 3; i++) {
    await world.publish("order_created", {});
    await worker.complete(await worker.claim());
  }

  assert.deepEqual(await readNews(world), [
    ["destination.failing", "status_500"],
    ["destination.recovered", null],
  ]);
});

Deno.test("a short blip sends no message", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination({ eventTypes: ["order_created"] });
  await world.addDestination({ eventTypes: ["destination.*"], enabled: false });

  await failTimes(world, 10, secondMs);

  assert.deepEqual(await readNews(world), []);
});

Deno.test("no success for 5 days disables, with ten failures over 12 hours", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination({ eventTypes: ["order_created"] });
  await world.addDestination({ eventTypes: ["destination.*"], enabled: false });
  const isEnabled = async () =>
    (await world.sql`select enabled from public.destinations where id = ${id}`)[0]!.enabled;

  world.clock.advance(4 * dayMs);
  await failTimes(world, 9, 2 * hourMs);
  world.clock.advance(dayMs);
  assert.equal(await isEnabled(), true, "nine failures are too few");
  await failTimes(world, 1);

  assert.equal(await isEnabled(), false);
  const [row] = await world.sql`select * from public.destinations where id = ${id}`;
  assert.equal(row!.disabled_reason, "No success for 5 days");
  assert.equal(row!.disabled_at.getTime(), world.clock.now.getTime());
  const news = (await readNews(world)).map(([type]) => type);
  assert.deepEqual(news.toSorted(), ["destination.disabled", "destination.failing"]);
});

Deno.test("many failures within 12 hours do not disable, however old the last success", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  world.clock.advance(6 * dayMs);

  await failTimes(world, 9);
  world.clock.advance(11 * hourMs);
  await failTimes(world, 1);

  const [row] = await world.sql`select enabled from public.destinations where id = ${id}`;
  assert.equal(row!.enabled, true);
});

Deno.test("a success within 5 days keeps a destination enabled", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  const worker = createWorker(world);
  world.clock.advance(4 * dayMs);
  await world.publish("order_created", {});
  await worker.complete(await worker.claim());

  await failTimes(world, 9, 2 * hourMs);
  world.clock.advance(4 * dayMs);
  await failTimes(world, 1);

  const [row] = await world.sql`select enabled from public.destinations where id = ${id}`;
  assert.equal(row!.enabled, true);
});

Deno.test("410 disables immediately and keeps its message, which is sent on enabling", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);

  await worker.fail(await worker.claim(), {
    action: "disable",
    status_code: 410,
    next_attempt_at: null,
    reason: "The receiver responded with 410 Gone",
  });

  const [row] = await world.sql`select * from public.destinations where id = ${id}`;
  assert.deepEqual([row!.enabled, row!.disabled_reason], [
    false,
    "The receiver responded with 410 Gone",
  ]);
  world.clock.advance(dayMs);
  assert.deepEqual(await worker.claim(), []);
  await world.sql`update public.destinations set enabled = true where id = ${id}`;
  assert.equal((await worker.claim()).length, 1);
});

Deno.test("a destination that a member is changing is disabled by its next failure", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  const worker = createWorker(world);
  const gone = { action: "disable", status_code: 410, next_attempt_at: null } as const;
  const reason = "The receiver responded with 410 Gone";
  await world.publish("order_created", {});

  await world.sql.begin(async (tx) => {
    await tx`update public.destinations set name = 'New' where id = ${id}`;
    await worker.fail(await worker.claim(), { ...gone, reason });
  });
  const [before] = await world.sql`select enabled from public.destinations where id = ${id}`;
  await worker.fail(await worker.claim(), { ...gone, reason });

  const [after] = await world.sql`select enabled from public.destinations where id = ${id}`;
  assert.deepEqual([before!.enabled, after!.enabled], [true, false]);
});
