import assert from "node:assert/strict";
import { createLoopShare } from "../../supabase/functions/track/loop_share.ts";
import {
  mapSteps,
  runAtOnce,
  runInSlices,
} from "../../supabase/functions/_shared/event_loop/slices.ts";

/** A loop whose clock moves by work and by waits alone. */
function createWorld() {
  let now = 0;
  const waits: number[] = [];
  const loop = createLoopShare({
    now: () => now,
    wait(ms) {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
  });
  /** Work of one item after the other, each as many ms as it says. */
  const work = (items: readonly number[]) => mapSteps(items, (ms) => void (now += ms));
  const run = async (workspaceId: string, items: readonly number[]) => {
    await runInSlices(work(items), loop.slicesOf(workspaceId));
    return waits.splice(0);
  };
  return { loop, run, pass: (ms: number) => void (now += ms) };
}

Deno.test("runInSlices() lets other work run every few milliseconds, and keeps the order", async () => {
  let now = 0;
  const order: string[] = [];
  setTimeout(() => order.push("another request"), 0);
  const loop = createLoopShare({ now: () => now });
  const steps = mapSteps([1, 2, 3, 4], (item) => {
    now += 3;
    order.push(`item ${item}`);
    return item * 10;
  });
  assert.deepEqual(await runInSlices(steps, loop.slicesOf("a")), [10, 20, 30, 40]);
  assert.equal(order.indexOf("another request"), 2);
});

Deno.test("runInSlices() and runAtOnce() return what the steps return and throw what they throw", async () => {
  const { loop } = createWorld();
  function* fail(): Generator<void, never> {
    yield;
    throw new Error("failed");
  }
  assert.deepEqual(runAtOnce(mapSteps(["a", "b"], (item, i) => item + i)), ["a0", "b1"]);
  assert.throws(() => runAtOnce(fail()), /failed/);
  await assert.rejects(runInSlices(fail(), loop.slicesOf("a")), /failed/);
});

Deno.test("a single active workspace never rests", async () => {
  const { run } = createWorld();
  assert.deepEqual(await run("a", Array(6).fill(5)), [0, 0, 0, 0, 0, 0]);
});

Deno.test("a request of up to 15 ms never rests, next to any number of others", async () => {
  const { run } = createWorld();
  await run("b", []);
  for (let i = 0; i < 3; i++) assert.deepEqual(await run("a", [5, 5, 5]), [0, 0, 0]);
});

Deno.test("a long request rests nine times as long as it works, next to others", async () => {
  const { run } = createWorld();
  await run("b", []);
  assert.deepEqual(await run("a", [5, 5, 5, 5, 2, 3]), [0, 0, 0, 45, 45]);
  // Only what is beyond the 15 ms counts of a step that cannot be parted.
  assert.deepEqual(await run("a", [25, 1]), [90]);
});

Deno.test("a workspace rests between the slices of all its requests together", async () => {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const loop = createLoopShare({
    now: () => now,
    wait: (ms) => new Promise((run) => void timers.push({ at: now + ms, run })),
  });
  async function passTo(at: number): Promise<void> {
    now = at;
    for (const { run } of timers.filter((timer) => timer.at <= now)) run();
    timers = timers.filter((timer) => timer.at > now);
    await Promise.resolve().then().then().then();
  }
  loop.slicesOf("b");
  const requests = [loop.slicesOf("a"), loop.slicesOf("a")];
  const gone: number[] = [];
  for (const slices of requests) {
    slices.start();
    // 10 ms beyond what is free.
    now += 25;
    void slices.next().then(() => gone.push(now));
  }
  // The first would be through with its own rest at 25 + 90.
  await passTo(204);
  assert.deepEqual(gone, []);
  await passTo(205);
  assert.deepEqual(gone, [205, 205]);
});

Deno.test("waiting does not count as work", async () => {
  const { loop, run, pass } = createWorld();
  await run("b", []);
  const slices = loop.slicesOf("a");
  slices.start();
  pass(4);
  slices.stop();
  pass(1000);
  slices.start();
  assert.equal(slices.isOver(), false);
  pass(1);
  assert.equal(slices.isOver(), true);
});
