import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import {
  day,
  fold,
  hour,
  type JourneyWorld,
  readPaths,
  second,
  startWork,
  testInWorlds,
} from "./journey_world.ts";

const bought: Definition = {
  trigger: { event: "signed_up" },
  start: "bought",
  steps: {
    bought: {
      wait_for: {
        event: "order_created",
        where: [{ property: "total", op: "gte", value: 10 }],
        timeout: "1h",
      },
      next: "yes",
      on_timeout: "no",
    },
    yes: { exit: {} },
    no: { exit: {} },
  },
};

/** Moves what is due once, with a worker whose clock is ahead of the database's by so many ms. */
async function work(world: JourneyWorld, ahead: number): Promise<number> {
  await fold(world);
  const { claim, run, record } = startWork(world, ahead);
  const runs = await claim({ limit: 100, isOnlyProven: false });
  const { signal } = new AbortController();
  await record(await Promise.all(runs.map((each) => run(each, signal))));
  return runs.length;
}

testInWorlds("clocks that differ or jump lose no event and no timer", {
  async "a worker whose clock is ahead does not end a wait for an event early"(world) {
    await world.publish(bought);
    await world.track({ name: "signed_up" });
    await world.settle();
    world.now += hour - second;
    await world.track({ name: "order_created", properties: { total: 1 } });
    assert.equal(await work(world, 10 * second), 1, "the event wakes the run, and does not fit");
    await world.track({ name: "order_created", properties: { total: 20 } });
    world.now += 20 * second;
    await world.settle();
    assert.deepEqual(await readPaths(world), ["bought next, yes end, completed"]);
  },

  async "a worker whose clock is behind moves a run that is due, and does not claim it again"(
    world,
  ) {
    await world.publish(bought);
    await world.track({ name: "signed_up" });
    await world.settle();
    world.now += hour;
    assert.equal(await work(world, -10 * second), 1);
    assert.equal(await work(world, -10 * second), 0);
    assert.deepEqual(await readPaths(world), ["bought timeout, no end, completed"]);
  },

  async "a clock that is set back moves nothing twice, and the timer comes at its time"(world) {
    await world.publish(bought);
    await world.track({ name: "signed_up" });
    await world.settle();
    const start = world.now;
    for (const ms of [-day, -hour, hour - second, -second]) {
      world.now = start + ms;
      await world.settle();
      assert.deepEqual(await readPaths(world), ["at bought"], `${ms}`);
    }
    world.now = start + hour;
    await world.settle();
    world.now = start - day;
    await world.settle();
    assert.deepEqual(await readPaths(world), ["bought timeout, no end, completed"]);
  },

  async "a clock that jumps forward passes every timer once"(world) {
    await world.publish(bought);
    for (const external_id of ["a", "b", "c"]) {
      await world.track({ name: "signed_up", external_id });
    }
    await world.settle();
    await world.pass(400 * day);
    assert.deepEqual(
      await readPaths(world),
      Array(3).fill("bought timeout, no end, completed"),
    );
  },
});
