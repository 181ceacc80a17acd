import assert from "node:assert/strict";
import { createDispatchWorld } from "../support/dispatch_world.ts";
import { countQueue, createWorker, readLane } from "../support/queue.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

Deno.test("maintain() clears the queue of a deleted destination, and its lane", async () => {
  await using world = await createDispatchWorld();
  const gone = await world.addDestination();
  const kept = await world.addDestination();
  await world.publish("order_created", {}, {});

  await world.sql`delete from public.destinations where id = ${gone.id}`;
  const claimed = await createWorker(world).claim();
  assert.deepEqual(new Set(claimed.map((d) => d.destination_id)), new Set([kept.id]));
  await world.sql`select ops.maintain()`;

  assert.equal(await countQueue(world), 2);
  assert.equal(await readLane(world, gone.id), undefined);
});

Deno.test("maintain() gives up what a disabled destination holds when its message goes", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await world.publish("order_created", {});
  await world.sql`update public.destinations set enabled = false where id = ${id}`;

  world.clock.advance(29 * DAY_MS);
  await world.sql`select ops.maintain(${world.clock.now})`;
  assert.equal(await countQueue(world), 1);
  world.clock.advance(3 * DAY_MS);
  await world.sql`select ops.maintain(${world.clock.now})`;

  assert.equal(await countQueue(world), 0);
});

Deno.test("maintain() drops messages and log after 30 days", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.publish("order_created", {});
  await world.dispatch();
  const count = async () => {
    const [row] = await world.sql`
      select (select count(*)::int from public.webhook_messages) as messages,
        (select count(*)::int from public.deliveries) as deliveries
    `;
    return [row!.messages, row!.deliveries];
  };

  world.clock.advance(29 * DAY_MS);
  await world.sql`select ops.maintain(${world.clock.now})`;
  assert.deepEqual(await count(), [1, 1]);
  world.clock.advance(3 * DAY_MS);
  await world.sql`select ops.maintain(${world.clock.now})`;

  assert.deepEqual(await count(), [0, 0]);
});

Deno.test("the views say what waits and how destinations fare", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  const off = await world.addDestination();
  await world.publish("order_created", { n: 1 }, { n: 2 });
  const worker = createWorker(world);
  const claimed = (await worker.claim()).filter((d) => d.destination_id === id);
  await worker.complete(claimed.slice(0, 1));
  await worker.fail(claimed.slice(1), { error: "timeout", status_code: null });
  await world.sql`update public.destinations set enabled = false where id = ${off.id}`;

  const backlog = await world.sql`select * from ops.backlog where destination_id = ${off.id}`;
  assert.deepEqual([backlog[0]!.state, Number(backlog[0]!.waiting), backlog[0]!.in_flight], [
    "disabled",
    0,
    2,
  ]);
  const [health] = await world
    .sql`select * from ops.destination_health where destination_id = ${id}`;
  assert.deepEqual(
    [Number(health!.ok_24h), Number(health!.failed_24h), health!.failures, health!.last_error],
    [1, 1, 1, "timeout"],
  );
});
