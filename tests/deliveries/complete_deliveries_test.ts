import assert from "node:assert/strict";
import {
  completeDeliveries,
  expireClaims,
} from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { createDispatchWorld, type DispatchWorld } from "../../testing/service/dispatch_world.ts";
import { countQueue, createWorker, describe, readLane } from "../../testing/data/queue.ts";

const secondMs = 1_000;

async function readStats(world: DispatchWorld): Promise<[number, number]> {
  const [row] = await world.sql<{ ok: number; failed: number }[]>`
    select coalesce(sum(ok), 0)::int as ok, coalesce(sum(failed), 0)::int as failed
    from public.delivery_stats
  `;
  return [row!.ok, row!.failed];
}

Deno.test("complete_deliveries() removes delivered messages and reschedules failed ones", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await world.publish("order_created", { n: 1 }, { n: 2 });
  const worker = createWorker(world);
  const [good, bad] = await worker.claim();

  await worker.complete([good!]);
  await worker.fail([bad!]);

  assert.equal(await countQueue(world), 1);
  assert.deepEqual(await worker.claim(), []);
  world.clock.advance(5 * secondMs);
  const [again] = await worker.claim();
  assert.equal(again!.message_id, bad!.message_id);
  assert.deepEqual([again!.attempt_number, again!.try_number, again!.trigger], [2, 2, "retry"]);
  assert.equal((await readLane(world, id)).in_flight, 1);
  assert.deepEqual(await readStats(world), [1, 1]);
});

Deno.test("complete_deliveries() logs a stale worker's attempts, and changes nothing else", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await world.publish("order_created", {});
  const [stale, live] = [createWorker(world), createWorker(world)];
  const lost = await stale.claim();
  world.clock.advance(61 * secondMs);
  assert.equal(await expireClaims(world.sql, world.clock.now), 1);
  const held = await live.claim();

  assert.equal(await stale.complete(lost), 0);

  assert.equal(await countQueue(world), 1);
  assert.equal((await readLane(world, id)).in_flight, 1);
  assert.equal(await live.complete(held), 1);
  assert.equal(await countQueue(world), 0);
  const log = await world.deliveries();
  assert.deepEqual(
    log.map((row) => [row.attempt_number, row.trigger, row.ok, row.error]).sort(),
    [[1, "event", false, "interrupted"], [1, "event", true, null], [2, "retry", true, null]],
  );
});

Deno.test("complete_deliveries() accepts repeated results", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await world.publish("order_created", { n: 1 }, { n: 2 });
  const worker = createWorker(world);
  const [first, second] = await worker.claim();
  const results = [
    describe(first!, world.clock.now),
    describe(second!, world.clock.now, {
      action: "retry",
      ok: false,
      status_code: 503,
      next_attempt_at: new Date(world.clock.now.getTime() + 5_000),
    }),
  ];

  assert.equal(await completeDeliveries(world.sql, results, world.clock.now), 2);
  assert.equal(await completeDeliveries(world.sql, results, world.clock.now), 0);

  assert.equal((await world.deliveries()).length, 2);
  assert.deepEqual(await readStats(world), [1, 1]);
  const lane = await readLane(world, id);
  assert.deepEqual([lane.in_flight, lane.failures], [0, 1]);
});

Deno.test("a released delivery is due again and does not count", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);

  await worker.complete(await worker.claim(), { action: "release", ok: false });

  const [again] = await worker.claim();
  assert.deepEqual([again!.attempt_number, again!.try_number, again!.trigger], [1, 1, "event"]);
  assert.deepEqual(await world.deliveries(), []);
});

Deno.test("a message whose body was erased leaves the queue without a trace in the log", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.publish("order_created", {});
  await world.sql`update public.webhook_messages set body = null`;

  await world.dispatch();

  assert.equal(await countQueue(world), 0);
  assert.deepEqual(await world.deliveries(), []);
});

Deno.test("expire_claims() makes a vanished worker's deliveries due again, and logs them", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await world.publish("order_created", {});
  await createWorker(world).claim();

  world.clock.advance(59 * secondMs);
  assert.equal(await expireClaims(world.sql, world.clock.now), 0);
  world.clock.advance(2 * secondMs);
  assert.equal(await expireClaims(world.sql, world.clock.now), 1);

  const [row] = await world.deliveries();
  assert.deepEqual([row!.ok, row!.error, row!.attempt_number], [false, "interrupted", 1]);
  assert.equal(row!.next_attempt_at!.getTime(), world.clock.now.getTime());
  const [time] = await world.sql`select private.uuid_v7_time(${row!.id}) as of_id`;
  assert.deepEqual(time!.of_id, row!.attempted_at);
  const lane = await readLane(world, id);
  assert.deepEqual([lane.in_flight, lane.failures], [0, 0], "the destination is not to blame");
  const [again] = await createWorker(world).claim();
  assert.deepEqual([again!.attempt_number, again!.try_number, again!.trigger], [2, 1, "retry"]);
});

Deno.test("every claim counts once and every message is delivered, for any order of worker steps", async () => {
  await using world = await createDispatchWorld();
  for (let i = 0; i < 3; i++) await world.addDestination({ maxConcurrency: 4 });
  const ids = await world.publish(
    "order_created",
    ...Array.from({ length: 60 }, (_, n) => ({ n })),
  );
  const workers = Array.from({ length: 4 }, () => createWorker(world));
  const act = async (worker: typeof workers[number], chance: number) => {
    const claimed = await worker.claim(1 + Math.floor(chance * 20));
    if (chance < 0.15) return; // It vanishes.
    if (chance < 0.3) await worker.complete(claimed, { action: "release", ok: false });
    else if (chance < 0.45) await worker.fail(claimed.splice(0, 2));
    await worker.complete(claimed);
  };

  for (let round = 0; round < 200 && await countQueue(world) > 0; round++) {
    await Promise.all(workers.map((worker) => act(worker, Math.random())));
    world.clock.advance(7 * secondMs);
    await expireClaims(world.sql, world.clock.now);
    const wrong = await world.sql`
      select from private.lanes as l
      where l.in_flight <> (
        select count(*) from private.webhook_queue as q
        where q.destination_id = l.destination_id and q.claim is not null
      )
    `;
    assert.equal(wrong.length, 0);
  }

  assert.equal(await countQueue(world), 0);
  const delivered = await world.sql`
    select distinct destination_id, message_id from public.deliveries where ok
  `;
  assert.equal(delivered.length, ids.length * 3);
});
