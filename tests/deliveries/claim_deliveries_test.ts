import assert from "node:assert/strict";
import { claimDeliveries } from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { createDispatchWorld } from "../../testing/service/dispatch_world.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createWorker, readLane } from "../../testing/data/queue.ts";

const secondMs = 1_000;

function numbered(count: number): object[] {
  return Array.from({ length: count }, (_, n) => ({ n }));
}

Deno.test("claim_deliveries() never hands one message to two workers", async () => {
  await using world = await createDispatchWorld();
  for (let i = 0; i < 20; i++) await world.addDestination();
  await world.publish("order_created", ...numbered(50));

  const workers = Array.from({ length: 8 }, () => createWorker(world));
  const taken: string[] = [];
  for (let round = 0; round < 40; round++) {
    const claims = await Promise.all(workers.map((worker) => worker.claim(100)));
    taken.push(...claims.flat().map((d) => `${d.destination_id} ${d.message_id}`));
    await Promise.all(claims.map((claim, i) => workers[i]!.complete(claim)));
    if (taken.length === 1_000) break;
  }

  assert.equal(taken.length, 1_000);
  assert.equal(new Set(taken).size, 1_000);
});

Deno.test("claim_deliveries() keeps a destination's concurrency across workers", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination({ maxConcurrency: 3 });
  await world.publish("order_created", ...numbered(20));
  const [first, second] = [createWorker(world), createWorker(world)];

  const held = await first.claim();
  assert.equal(held.length, 3);
  assert.deepEqual(await second.claim(), []);
  assert.deepEqual(await first.claim(), []);

  await first.complete(held.slice(0, 1), { duration_ms: 5_000 });
  assert.deepEqual(await second.claim(), [], "what is left of the first is not the second's");
  assert.equal((await first.claim()).length, 1);
});

Deno.test("claim_deliveries() takes over a lane whose owner has not come back for 20 s", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination({ maxConcurrency: 3 });
  await world.publish("order_created", {}, {});
  const [gone, next] = [createWorker(world), createWorker(world)];
  assert.equal((await gone.claim(1)).length, 1);

  world.clock.advance(20 * secondMs);
  assert.deepEqual(await next.claim(), []);
  world.clock.advance(1);
  assert.equal((await next.claim()).length, 1);
});

Deno.test("claim_deliveries() skips unproven destinations on request", async () => {
  await using world = await createDispatchWorld();
  const proven = await world.addDestination({ eventTypes: ["order_created", "first"] });
  await world.addDestination({ eventTypes: ["order_created"] });
  const failing = await world.addDestination({ eventTypes: ["order_created", "first"] });
  await world.publish("first", {});
  const worker = createWorker(world);
  const first = await worker.claim();
  await worker.complete(first.filter((d) => d.destination_id === proven.id));
  await worker.fail(first.filter((d) => d.destination_id === failing.id));
  await world.publish("order_created", {});

  const { sql, clock } = world;
  const claimed = await claimDeliveries(sql, {
    worker: crypto.randomUUID(),
    limit: 100,
    leaseSeconds: 60,
    isOnlyProven: true,
    now: clock.now,
  });

  assert.deepEqual(claimed.map((delivery) => delivery.destination_id), [proven.id]);
});

Deno.test("claim_deliveries() prefetches only as much as quick responses will use", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination({ maxConcurrency: 10 });
  await world.publish("order_created", ...numbered(600));
  const worker = createWorker(world);

  await worker.complete(await worker.claim(), { duration_ms: 10 });
  const quick = await worker.claim();
  assert.equal(quick.length, 250);
  await worker.complete(quick, { duration_ms: 100 });
  const slower = await worker.claim();
  assert.equal(slower.length, 30);
  await worker.fail(slower.slice(0, 1));
  await worker.complete(slower.slice(1), { action: "release", ok: false });
  assert.equal((await worker.claim()).length, 10);
});

Deno.test("claim_deliveries() respects rate_limit_per_second in every second", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination({ rateLimitPerSecond: 20, maxConcurrency: 100 });
  await world.publish("order_created", ...numbered(200));
  const worker = createWorker(world);
  world.clock.advance(60 * secondMs);

  const times: number[] = [];
  for (let ms = 0; ms < 5 * secondMs; ms += 10) {
    const claimed = await worker.claim();
    times.push(...claimed.map(() => ms));
    await worker.complete(claimed);
    world.clock.advance(10);
  }

  assert(times.length >= 95 && times.length <= 105, `${times.length} in 5 s`);
  for (const start of times) {
    const count = times.filter((ms) => ms >= start && ms < start + secondMs).length;
    assert(count <= 22, `${count} within the second from ${start} ms`);
  }
});

Deno.test("a rate-limited lane is parked until it may continue", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination({ rateLimitPerSecond: 1 });
  await world.publish("order_created", {}, {});

  assert.equal((await createWorker(world).claim()).length, 1);

  const { ready_at } = await readLane(world, id);
  assert.equal(ready_at!.getTime(), world.clock.now.getTime() + secondMs);
});

Deno.test("a workspace with a long queue does not delay another", async () => {
  await using world = await createDispatchWorld();
  const other = await createWorkspace(world.sql);
  for (let i = 0; i < 40; i++) await world.addDestination({ maxConcurrency: 50 });
  await world.publish("order_created", ...numbered(100));
  const late = await world.addDestination({ workspaceId: other });
  world.clock.advance(10 * secondMs);
  await world.sql`
    select private.publish_messages(
      array[row(${other}::uuid, 'a', '{}', null, null)::private.new_message], ${world.clock.now}
    )
  `;

  const claimed = await createWorker(world).claim(10);

  assert(claimed.some((delivery) => delivery.destination_id === late.id));
});

Deno.test("lanes of one workspace take turns", async () => {
  await using world = await createDispatchWorld();
  for (let i = 0; i < 30; i++) await world.addDestination();
  await world.publish("order_created", ...numbered(10));
  const worker = createWorker(world);

  const seen = new Set<string>();
  for (let round = 0; round < 3; round++) {
    world.clock.advance(1);
    const claimed = await worker.claim(10);
    for (const { destination_id } of claimed) seen.add(destination_id);
    await worker.complete(claimed);
  }

  assert.equal(seen.size, 30);
});

Deno.test("a disabled destination is parked, and its queue waits until it is enabled", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await world.publish("order_created", {});
  await world.sql`update public.destinations set enabled = false where id = ${id}`;
  const worker = createWorker(world);

  assert.deepEqual(await worker.claim(), []);
  assert.equal((await readLane(world, id)).ready_at, null);
  await world.sql`update public.destinations set enabled = true where id = ${id}`;
  assert.equal((await worker.claim()).length, 1);
});

Deno.test("a ping passes every gate", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination({ enabled: false, eventTypes: ["nothing"] });
  await world.addDestination();

  await world.sql`select ops.send_test_ping(${id}, ${world.clock.now})`;

  const claimed = await createWorker(world).claim();
  assert.deepEqual(
    claimed.map((d) => [d.destination_id, d.event_type, d.trigger]),
    [[id, "ping", "test"]],
  );
});

Deno.test("claim_deliveries() finds deliveries committed during a claim", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.publish("order_created", { n: 1 });

  await world.sql.begin(async (publishing) => {
    await publishing`
      select private.publish_messages(array[
        row(${world.workspaceId}::uuid, 'late', '{}', null, null)::private.new_message
      ], ${world.clock.now})
    `;
    const worker = createWorker(world);
    await worker.complete(await worker.claim());
    assert.deepEqual(await worker.claim(), []);
  });

  const claimed = await createWorker(world).claim();
  assert.deepEqual(claimed.map((delivery) => delivery.event_type), ["late"]);
});

Deno.test("claim_deliveries() loses no arrival while another claim holds the lane", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await world.publish("order_created", { n: 1 });
  const other = createWorker(world);

  const waiting = await world.sql.begin(async (holding) => {
    await holding`
      select from private.claim_deliveries(gen_random_uuid(), 500, p_now => ${world.clock.now})
    `;
    const [late] = await world.publish("late", { n: 2 });
    const claim = other.claim();
    await world.waitForLock();
    return { claim, late };
  });

  assert.deepEqual((await waiting.claim).map((delivery) => delivery.message_id), []);
  assert.deepEqual((await readLane(world, id)).due_at, world.clock.now);
  await world.sql`update private.lanes set in_flight = 0`;
  const claimed = await other.claim();
  assert.deepEqual(claimed.map((delivery) => delivery.message_id), [waiting.late]);
});

Deno.test("claim_deliveries() skips locked rows, and claims the others", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  const [held] = await world.publish("order_created", { n: 1 }, { n: 2 });

  await world.sql.begin(async (tx) => {
    await tx`select from private.webhook_queue where message_id = ${held!} for update`;
    assert.equal((await createWorker(world).claim()).length, 1);
  });

  await world.sql`select private.repair_lanes()`;
  await world.sql`update private.lanes set in_flight = 0, owner = null`;
  assert.equal((await createWorker(world).claim()).length, 1);
});

Deno.test("claim_deliveries() returns the live secrets as ciphertext, the current one first", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  const rotate = (name: string, overlap: string) =>
    world.sql`
      select private.rotate_destination_secret(
        ${world.workspaceId}, ${id}, ${`v1.key.${name}`}, ${overlap}, ${world.clock.now}
      )
    `;
  world.clock.advance(secondMs);
  await rotate("second", "1 hour");
  world.clock.advance(secondMs);
  await rotate("third", "2 hours");
  const worker = createWorker(world);
  const readSecrets = async () => {
    await world.publish("order_created", {});
    const claimed = await worker.claim();
    await worker.complete(claimed);
    return claimed[0]!.secrets!.map((text) => text.startsWith("v1.key.") ? text.slice(7) : "first");
  };

  assert.deepEqual(await readSecrets(), ["third", "second", "first"]);
  world.clock.advance(3_601 * secondMs);
  assert.deepEqual(await readSecrets(), ["third", "second"]);
  world.clock.advance(3_601 * secondMs);
  assert.deepEqual(await readSecrets(), ["third"]);
});

Deno.test("the dispatcher's role may execute its functions and read no table", async () => {
  await using world = await createDispatchWorld();

  await assert.rejects(
    world.sql.begin(async (tx) => {
      await tx`set local role signalpost_dispatch`;
      await tx`select from private.destination_secrets`;
    }),
    { code: "42501" },
  );
});
