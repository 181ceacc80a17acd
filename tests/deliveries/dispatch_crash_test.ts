import assert from "node:assert/strict";
import { spawnDispatcher } from "../../testing/service/spawn_dispatcher.ts";
import { createDispatchWorld } from "../../testing/service/dispatch_world.ts";
import { startOwnServer } from "../../testing/postgres/own_server.ts";
import { countQueue } from "../../testing/data/queue.ts";
import type { ReceivedRequest, Receiver } from "../../testing/receivers/receiver.ts";
import { hang, respond } from "../../testing/receivers/receiver_behaviours.ts";

const leaseMs = 60_000;

function idOf(request: ReceivedRequest): string {
  return request.headers.find(([name]) => name.toLowerCase() === "webhook-id")![1];
}

function countById(receiver: Receiver): Map<string, number> {
  const ids = receiver.requests.map(idOf);
  return new Map([...new Set(ids)].map((id) => [id, ids.filter((other) => other === id).length]));
}

Deno.test("a dispatcher killed between the POST and the log causes one more POST, and logs it", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive({ behaviour: hang() });
  await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  const [messageId] = await world.publish("order_created", {});

  const child = spawnDispatcher(world);
  await receiver.waitForRequests(1);
  child.kill("SIGKILL");
  await child.status;
  receiver.use(respond(200));
  world.clock.now = new Date(Date.now() + leaseMs);
  await world.dispatch();

  assert.deepEqual(receiver.requests.map(idOf), [messageId, messageId]);
  assert.deepEqual(
    (await world.deliveries()).map((row) => [row.attempt_number, row.trigger, row.ok, row.error]),
    [[1, "event", false, "interrupted"], [2, "retry", true, null]],
  );
  assert.equal(await countQueue(world), 0);
});

Deno.test("a dispatcher killed in the middle of a batch loses nothing", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive({
    behaviour: (exchange) => exchange.number > 40 ? hang()(exchange) : respond(200)(exchange),
  });
  for (let i = 0; i < 4; i++) {
    await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/${i}` });
  }
  const ids = await world.publish(
    "order_created",
    ...Array.from({ length: 50 }, (_, n) => ({ n })),
  );

  const child = spawnDispatcher(world);
  await receiver.waitForRequests(60);
  child.kill("SIGKILL");
  await child.status;
  receiver.use(respond(200));
  world.clock.now = new Date(Date.now() + leaseMs);
  await world.dispatch();

  assert.equal(await countQueue(world), 0);
  const delivered = await world.sql`
    select distinct destination_id, message_id from public.deliveries where ok
  `;
  assert.equal(delivered.length, 200);
  assert.deepEqual([...countById(receiver).keys()].sort(), ids.sort());
  const interrupted = await world.sql`select from public.deliveries where error = 'interrupted'`;
  assert(receiver.requests.length <= 200 + interrupted.length);
});

Deno.test("Postgres killed in the middle of a batch loses nothing, and every repeat is logged", async () => {
  await using server = await startOwnServer({ durable: true });
  await using world = await createDispatchWorld({ db: server.db });
  const receiver = await world.receive();
  for (let i = 0; i < 4; i++) {
    await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/${i}` });
  }
  const ids = await world.publish("order_created", ...numbered(100));

  const running = world.makeDispatcher().wake();
  await receiver.waitForRequests(50);
  await server.restart("crash");
  await running;
  // A claim whose response was lost in the crash ends with its lease.
  world.clock.advance(leaseMs);
  await world.dispatch();

  assert.equal(await countQueue(world), 0);
  const delivered = await world.sql`
    select distinct destination_id, message_id from public.deliveries where ok
  `;
  assert.equal(delivered.length, 400);
  assert.deepEqual([...countById(receiver).keys()].sort(), ids.sort());
  const attempts = await world.sql`select from public.deliveries where ok`;
  assert.equal(receiver.requests.length, attempts.length, "every POST is in the log, once");
});

function numbered(count: number): object[] {
  return Array.from({ length: count }, (_, n) => ({ n }));
}
