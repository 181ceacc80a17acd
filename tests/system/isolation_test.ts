import assert from "node:assert/strict";
import { createDispatchWorld, publishMessages } from "../../testing/service/dispatch_world.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import type { Behaviour } from "../../testing/receivers/receiver.ts";
import { hang, respond } from "../../testing/receivers/receiver_behaviours.ts";

function numbered(count: number): object[] {
  return Array.from({ length: count }, (_, n) => ({ n }));
}

Deno.test("healthy destinations receive everything while another one hangs", async () => {
  await using world = await createDispatchWorld();
  const hanging = await world.receive({ behaviour: hang() });
  const healthy = await world.receive();
  await world.addDestination({
    url: `http://127.0.0.1:${hanging.port}/`,
    eventTypes: ["order_created"],
  });
  await world.publish("order_created", ...numbered(2_000));
  const workspaces = [world.workspaceId, await createWorkspace(world.sql)];
  for (let i = 0; i < 50; i++) {
    await world.addDestination({
      workspaceId: workspaces[i % 2]!,
      url: `http://127.0.0.1:${healthy.port}/${i}`,
      eventTypes: ["page_viewed"],
    });
  }
  for (const workspaceId of workspaces) {
    await publishMessages(world.sql, {
      workspaceId,
      eventType: "page_viewed",
      payloads: numbered(20),
      now: world.clock.now,
    });
  }

  const dispatcher = world.makeDispatcher();
  void dispatcher.wake();
  await healthy.waitForRequests(1_000);

  assert.equal(hanging.requests.length, 10, "no more at once than its max_concurrency");
  await dispatcher.stop(0);
});

Deno.test("many hanging destinations leave room for those that are known to respond", async () => {
  await using world = await createDispatchWorld();
  const hanging = await world.receive({ behaviour: hang() });
  const healthy = await world.receive();
  await world.addDestination({
    url: `http://127.0.0.1:${healthy.port}/`,
    eventTypes: ["page_viewed"],
  });
  await world.publish("page_viewed", {});
  await world.dispatch();
  for (let i = 0; i < 12; i++) {
    await world.addDestination({
      url: `http://127.0.0.1:${hanging.port}/${i}`,
      eventTypes: ["order_created"],
    });
  }
  await world.publish("order_created", ...numbered(10));

  const dispatcher = world.makeDispatcher({ maxHeld: 100 });
  void dispatcher.wake();
  await hanging.waitForRequests(50);
  await world.publish("page_viewed", ...numbered(100));
  await healthy.waitForRequests(101);

  assert(hanging.requests.length <= 60, `${hanging.requests.length} hanging requests`);
  await dispatcher.stop(0);
});

Deno.test("concurrent dispatchers send each message once, within each destination's limits", async () => {
  await using world = await createDispatchWorld();
  const busy = { now: 0, most: 0 };
  const counting: Behaviour = (exchange) => {
    busy.most = Math.max(busy.most, ++busy.now);
    setTimeout(() => {
      busy.now--;
      void respond(200)(exchange);
    }, 1);
  };
  const receiver = await world.receive({ behaviour: counting });
  await world.addDestination({
    url: `http://127.0.0.1:${receiver.port}/`,
    eventTypes: ["order_created"],
    maxConcurrency: 7,
  });
  const others = await world.receive();
  for (let i = 0; i < 9; i++) {
    await world.addDestination({ url: `http://127.0.0.1:${others.port}/${i}` });
  }
  await world.publish("order_created", ...numbered(100));

  const limits = { lingerMs: 100, horizonMs: 0 };
  await Promise.all(Array.from({ length: 4 }, () => world.makeDispatcher(limits).wake()));

  assert.equal(receiver.requests.length, 100);
  assert.equal(others.requests.length, 900);
  assert(busy.most <= 7, `${busy.most} at once`);
  const log = await world.deliveries();
  assert.equal(log.length, 1_000);
  assert(log.every((row) => row.ok));
});

Deno.test("a run that has done its share hands over the rest", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive();
  await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await world.publish("order_created", ...numbered(50));
  const woken = Promise.withResolvers<void>();
  const { unlisten } = await world.sql.listen("webhook_dispatch", () => woken.resolve());

  await world.dispatch({ maxItems: 20 });

  assert.equal(receiver.requests.length, 20);
  await woken.promise;
  await unlisten();
  await world.dispatch();
  assert.equal(receiver.requests.length, 50);
});
