import assert from "node:assert/strict";
import { createCallTurns } from "../../supabase/functions/api/kernel/call_turns.ts";

/** Calls that end when the test says so. */
function createWorld() {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const schedule = (run: () => void, ms: number) => void timers.push({ at: now + ms, run });
  const turns = createCallTurns({ maxOfOne: 2, slowMs: 100, now: () => now, schedule });
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  return {
    started,
    call: (payerId: string, name: string) =>
      turns.run(payerId, () => {
        started.push(name);
        return new Promise<string>((resolve, reject) => {
          ends.set(name, (error) => error ? reject(error) : resolve(name));
        });
      }),
    end: async (name: string, error?: Error) => {
      ends.get(name)!(error);
      await new Promise((resolve) => setTimeout(resolve));
    },
    async pass(ms: number) {
      now += ms;
      for (const { run } of timers.filter((timer) => timer.at <= now)) run();
      timers = timers.filter((timer) => timer.at > now);
      await new Promise((resolve) => setTimeout(resolve));
    },
  };
}

Deno.test("next to others a workspace has two calls under way, and the rest in their order", async () => {
  const { started, call, end } = createWorld();
  const neighbours = call("b", "b1");
  const calls = ["a1", "a2", "a3", "a4"].map((name) => call("a", name));
  assert.deepEqual(started, ["b1", "a1", "a2"]);
  const failed = assert.rejects(calls[1]!, /broken/);
  await end("a2", new Error("broken"));
  assert.deepEqual(started, ["b1", "a1", "a2", "a3"]);
  await end("a1");
  await end("a3");
  await end("a4");
  await end("b1");
  await failed;
  assert.deepEqual(await Promise.all([calls[0], calls[2], calls[3]]), ["a1", "a3", "a4"]);
  assert.equal(await neighbours, "b1");
});

Deno.test("a workspace that is alone has as many calls under way as it makes, until others come", async () => {
  const { started, call, end, pass } = createWorld();
  const before = call("b", "b1");
  await end("b1");
  await before;
  await pass(60_000);
  const first = call("a", "a0");
  await end("a0");
  await first;
  await pass(60_000);
  const calls = ["a1", "a2", "a3"].map((name) => call("a", name));
  assert.deepEqual(started.slice(-3), ["a1", "a2", "a3"]);
  calls.push(call("b", "b2"), call("a", "a4"));
  assert.equal(started.at(-1), "b2");
  await end("a1");
  // Two are still under way.
  assert.equal(started.at(-1), "b2");
  await end("a2");
  assert.equal(started.at(-1), "a4");
  for (const name of ["a3", "b2", "a4"]) await end(name);
  assert.deepEqual(await Promise.all(calls), ["a1", "a2", "a3", "b2", "a4"]);
});

Deno.test("next to others a slow call keeps its place for as long as it took, and ends before", async () => {
  const { started, call, end, pass } = createWorld();
  const responses = [call("b", "b1"), call("a", "a1"), call("a", "a2"), call("a", "a3")];
  await pass(101);
  await end("a1");
  assert.equal(await responses[1], "a1");
  await pass(100);
  assert.deepEqual(started, ["b1", "a1", "a2"]);
  await pass(1);
  assert.deepEqual(started, ["b1", "a1", "a2", "a3"]);
  // As quick as most are: its place is free at once.
  responses.push(call("a", "a4"));
  await end("a3");
  assert.equal(started.at(-1), "a4");
  for (const name of ["b1", "a2", "a4"]) await end(name);
  await Promise.all(responses);
});
