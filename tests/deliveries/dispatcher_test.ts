import assert from "node:assert/strict";
import { createDispatchWorld } from "../../testing/service/dispatch_world.ts";
import { countQueue } from "../../testing/data/queue.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";

function numbered(count: number): object[] {
  return Array.from({ length: count }, (_, n) => ({ n }));
}

Deno.test("a failed log entry is written later, and nothing is sent again", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive();
  await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await world.publish("order_created", ...numbered(5));
  await world.sql`alter function private.complete_deliveries rename to complete_later`;

  const running = world.dispatch();
  await receiver.waitForRequests(5);
  await world.sql`alter function private.complete_later rename to complete_deliveries`;
  await running;

  assert.equal(receiver.requests.length, 5);
  assert.deepEqual((await world.deliveries()).map((row) => row.ok), Array(5).fill(true));
  assert.equal(await countQueue(world), 0);
});

Deno.test("the next run does not treat unrecorded deliveries as lost", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive();
  for (const path of ["a", "b"]) {
    const url = `http://127.0.0.1:${receiver.port}/${path}`;
    await world.addDestination({ url, eventTypes: [path] });
  }
  await world.publish("a", {});
  await world.sql`alter function private.complete_deliveries rename to complete_later`;
  const dispatcher = world.makeDispatcher({ maxItems: 1, lingerMs: 0, horizonMs: 0 });

  const first = dispatcher.wake();
  while (!world.lines.some(({ msg }) => msg === "record_failed")) await world.deliveries();
  // The lease of the first has run out by now.
  world.clock.advance(61_000);
  await world.publish("b", {});
  const second = dispatcher.wake();
  await receiver.waitForRequests(2);
  await world.sql`alter function private.complete_later rename to complete_deliveries`;
  await Promise.all([first, second]);
  await world.dispatch();

  assert.deepEqual(receiver.requests.map(({ path }) => path), ["/a", "/b"]);
  assert.deepEqual((await world.deliveries()).map((row) => row.ok), [true, true]);
});

Deno.test("a stopping dispatcher releases its claims unsent", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive();
  await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await world.publish("order_created", ...numbered(3));
  const dispatcher = world.makeDispatcher();

  const { stopped } = await world.sql.begin(async (tx) => {
    await tx`lock table private.destination_secrets in access exclusive mode`;
    void dispatcher.wake();
    await world.waitForLock();
    return { stopped: dispatcher.stop() };
  });
  await stopped;

  assert.equal(receiver.requests.length, 0);
  const waiting = await world.sql`select from private.webhook_queue where claim is null`;
  assert.equal(waiting.length, 3);
});

Deno.test("a message published while a run ends is sent", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive();
  await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  const dispatcher = world.makeDispatcher({ lingerMs: 0, horizonMs: 0 });

  const runs: Promise<void>[] = [];
  for (let n = 0; n < 50; n++) {
    await world.publish("order_created", { n });
    runs.push(dispatcher.wake());
    if (n % 7 === 0) await runs.at(-1);
  }
  await Promise.all(runs);

  assert.equal(receiver.requests.length, 50);
});

Deno.test("a run waits for messages due soon", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive({ behaviour: respond(500) });
  await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await world.publish("order_created", {});
  const dispatcher = world.makeDispatcher({ lingerMs: 0, horizonMs: 6_000 });

  const running = dispatcher.wake();
  while ((await world.deliveries()).length === 0);
  receiver.use(respond(200));
  world.clock.advance(5_000);
  void dispatcher.wake();
  await receiver.waitForRequests(2);
  await running;

  assert.equal(await countQueue(world), 0);
});

Deno.test("dispatchers recover missed messages through a restart", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive();
  const { id } = await world.addDestination({
    url: `http://127.0.0.1:${receiver.port}/`,
    enabled: false,
    maxConcurrency: 50,
  });
  await world.publish("order_created", ...numbered(2_500));
  await world.sql`update public.destinations set enabled = true where id = ${id}`;
  world.clock.advance(1_000);
  const [job] = await world.sql`select * from ops.recover_missed(${id})`;

  const first = world.makeDispatcher();
  void first.wake();
  await receiver.waitForRequests(500);
  await first.stop();
  assert(receiver.requests.length < 2_500);
  await world.dispatch();

  const ids = new Set(
    receiver.requests.map(({ headers }) =>
      headers.find(([name]) => name.toLowerCase() === "webhook-id")![1]
    ),
  );
  assert.equal(ids.size, 2_500);
  const [row] = await world.sql`select state, done from public.jobs where id = ${job!.job_id}`;
  assert.deepEqual([row!.state, row!.done], ["done", 2_500]);
  assert((await world.deliveries()).every(({ trigger }) => trigger === "replay"));
});

Deno.test("one line per delivery is logged, without address, body, secret or response", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive({ behaviour: respond(500, { body: "response-text" }) });
  const url = `http://127.0.0.1:${receiver.port}/path-of-url`;
  const { id } = await world.addDestination({ url });
  const [messageId] = await world.publish("order_created", { value: "body-text" });

  await world.dispatch();

  assert.equal(world.lines.length, 1);
  const { time, delivery_id, duration_ms, ...rest } = world.lines[0]!;
  assert.equal(typeof time, "string");
  assert.equal(typeof duration_ms, "number");
  assert.equal(delivery_id, (await world.deliveries())[0]!.id);
  assert.deepEqual(rest, {
    level: "info",
    function: "webhook-dispatch",
    msg: "delivery",
    workspace_id: world.workspaceId,
    destination_id: id,
    message_id: messageId,
    event_type: "order_created",
    attempt_number: 1,
    trigger: "event",
    action: "retry",
    status_code: 500,
    error: null,
    next_attempt_at: new Date(world.clock.now.getTime() + 5_000).toISOString(),
  });
});
