import assert from "node:assert/strict";
import { addRule, checkAlerts, readAlerts } from "../../testing/data/alerts.ts";
import { createWorker, readLane } from "../../testing/data/queue.ts";
import { createDispatchWorld, type DispatchWorld } from "../../testing/service/dispatch_world.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** Lets so many messages fail at once. */
async function failTimes(world: DispatchWorld, count: number): Promise<void> {
  await world.publish("order_created", ...Array.from({ length: count }, (_, n) => ({ n })));
  const worker = createWorker(world);
  await worker.fail(await worker.claim(count), { action: "exhausted", next_attempt_at: null });
}

/** Checks every 30 seconds until an alert is open; returns the minutes since the first failure. */
async function waitForAlert(world: DispatchWorld, start: number): Promise<number> {
  for (let checks = 0; checks < 40; checks++) {
    await checkAlerts(world.sql, world.clock.now);
    if ((await readAlerts(world.sql, world.workspaceId)).length > 0) {
      return (world.clock.now.getTime() - start) / minuteMs;
    }
    world.clock.advance(30 * secondMs);
  }
  throw new Error("No alert was opened");
}

Deno.test("a rule about failures opens at its threshold, however far the breaker spaces attempts", async (t) => {
  for (const threshold of [1, 3, 5, 8]) {
    await t.step(`${threshold} minutes`, async () => {
      await using world = await createDispatchWorld();
      const { id } = await world.addDestination({ eventTypes: ["order_created"] });
      await addRule(world.sql, world.workspaceId, { kind: "destination_failing", threshold });
      const start = world.clock.now.getTime();
      // The breaker is open: no attempt ends before the check that opens the alert.
      await failTimes(world, 10);
      assert.ok((await readLane(world, id)).open_until, "the breaker is open");
      assert.equal(await waitForAlert(world, start), threshold);
    });
  }
});

Deno.test("a rule about failures ignores one failed attempt, and what has succeeded since", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination({ eventTypes: ["order_created"] });
  await addRule(world.sql, world.workspaceId, { kind: "destination_failing", threshold: 1 });
  const check = async () => {
    world.clock.advance(2 * minuteMs);
    await checkAlerts(world.sql, world.clock.now);
    return (await readAlerts(world.sql, world.workspaceId)).map(({ state }) => state);
  };
  await failTimes(world, 1);
  assert.deepEqual(await check(), []);
  await failTimes(world, 1);
  assert.deepEqual(await check(), ["open"]);
  await world.publish("order_created", {});
  const worker = createWorker(world);
  await worker.complete(await worker.claim());
  assert.deepEqual(await check(), ["resolved"]);
});
