import assert from "node:assert/strict";
import {
  type Batcher,
  type BatcherOptions,
  createBatcher,
} from "../../supabase/functions/_shared/batching/batcher.ts";
import type { IngestResult } from "../../supabase/functions/_shared/entries/ingest.ts";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";

interface Call {
  entries: readonly string[];
  succeed: () => Promise<void>;
  timeOut: () => Promise<void>;
}

/** A batcher whose calls end when the test says so, by a clock of the test's own. */
function createWorld(options: Partial<BatcherOptions> = {}) {
  const calls: Call[] = [];
  let at = 0;
  let scheduled: { at: number; run: () => void }[] = [];
  const batcher = createBatcher({
    store: (entries) =>
      new Promise((resolve, reject) => {
        calls.push({
          entries,
          succeed: () => settleAfter(() => resolve(entries.map(resultOf))),
          timeOut: () => settleAfter(() => reject(timeout())),
        });
      }),
    slowMs: 100,
    now: () => at,
    schedule: (run, ms) => {
      const item = { at: at + ms, run };
      scheduled.push(item);
      return () => void (scheduled = scheduled.filter((other) => other !== item));
    },
    ...options,
  });
  const advance = (ms: number) => {
    at += ms;
    const due = scheduled.filter((item) => item.at <= at);
    scheduled = scheduled.filter((item) => item.at > at);
    for (const { run } of due) run();
  };
  return { calls, batcher, advance, underWay: () => calls.map(({ entries }) => entries.join(" ")) };
}

function resultOf(entry: string): IngestResult {
  return { ok: true, event_id: `event of ${entry}`, customer_id: "customer" };
}

function timeout(): Error {
  return Object.assign(new Error("canceling statement due to statement timeout"), {
    code: "57014",
  });
}

async function settleAfter(end: () => void): Promise<void> {
  end();
  await new Promise((resolve) => setTimeout(resolve));
}

/** Adds one request per entry, each of the workspace that its name begins with. */
function addAll(batcher: Batcher, names: string) {
  return names.split(" ").map((name) => {
    const response = batcher.add(name.replace(/\d+$/, ""), [name]);
    response.catch(() => {});
    return response;
  });
}

Deno.test("add() lets workspaces take turns, even if one sends a lot", async () => {
  const { calls, batcher, underWay } = createWorld({ maxEntries: 3 });
  addAll(batcher, "big0 big1 big2 big3 big4 small1 small2 other1");
  await calls[0]!.succeed();
  await calls[1]!.succeed();
  assert.deepEqual(underWay(), ["big0", "big1 small1 other1", "big2 small2 big3"]);
});

Deno.test("add() prevents one workspace from filling the queue", async () => {
  const { batcher } = createWorld({ maxWaitingOfOne: { entries: 2, characters: 100 } });
  const responses = addAll(batcher, "big1 big2 big3 small1");
  await assert.rejects(responses[2]!, (error) => {
    return error instanceof ApiError && error.status === 503 &&
      /this workspace/.test(error.message);
  });
  const states = await Promise.race([responses[3], Promise.resolve("waits")]);
  assert.equal(states, "waits");
});

Deno.test("add() never waits for another workspace's slow call", async () => {
  const { calls, batcher, advance, underWay } = createWorld();
  addAll(batcher, "slow1");
  addAll(batcher, "quick1");
  assert.deepEqual(underWay(), ["slow1"]);
  advance(100);
  assert.deepEqual(underWay(), ["slow1", "quick1"]);
  addAll(batcher, "slow2 quick2");
  await calls[1]!.succeed();
  assert.deepEqual(underWay(), ["slow1", "quick1", "quick2"]);
});

Deno.test("add() never waits for another workspace's bulk", async () => {
  const { calls, batcher, underWay } = createWorld({
    heavyBatch: { entries: 2, characters: 1_000 },
  });
  const add = (workspace: string, ...entries: string[]) => {
    batcher.add(workspace, entries).catch(() => {});
  };
  add("big", "big1", "big2");
  add("big", "big3", "big4");
  add("quick", "quick1");
  assert.deepEqual(underWay(), ["big1 big2", "quick1"]);
  await calls[1]!.succeed();
  add("quick", "quick2");
  assert.deepEqual(underWay(), ["big1 big2", "quick1", "quick2"]);
  await calls[2]!.succeed();
  await calls[0]!.succeed();
  assert.deepEqual(underWay().slice(3), ["big3 big4"]);
});

Deno.test("add() stores other workspaces while one workspace's slow calls fill every slot", () => {
  const { batcher, advance, underWay } = createWorld({ fullBatch: 1 });
  addAll(batcher, "slow1 slow2");
  assert.deepEqual(underWay(), ["slow1", "slow2"]);
  addAll(batcher, "quick1");
  advance(100);
  assert.deepEqual(underWay(), ["slow1", "slow2", "quick1"]);
});

Deno.test("add() stores a slow workspace separately, one call at a time, until it is reliably quick", async () => {
  const { calls, batcher, advance, underWay } = createWorld({ fullBatch: 1 });
  addAll(batcher, "quick0");
  await calls[0]!.succeed();
  addAll(batcher, "slow1");
  advance(101);
  await calls[1]!.succeed();
  addAll(batcher, "slow2 slow3 quick1");
  assert.deepEqual(underWay().slice(2), ["slow2", "quick1"]);
  await calls[3]!.succeed();
  addAll(batcher, "quick2");
  assert.deepEqual(underWay().slice(4), ["quick2"]);
  await calls[2]!.succeed();
  assert.deepEqual(underWay().slice(5), ["slow3"]);
  await calls[4]!.succeed();
  await calls[5]!.succeed();

  advance(30_000);
  addAll(batcher, "quick3");
  await calls[6]!.succeed();
  addAll(batcher, "slow4 slow5");
  assert.deepEqual(underWay().slice(7), ["slow4", "slow5"]);
});

Deno.test("add() retries workspaces separately after they took too long together", async () => {
  const { calls, batcher, advance, underWay } = createWorld();
  const responses = addAll(batcher, "first slow1 quick1 slow2");
  await calls[0]!.succeed();
  assert.equal(underWay()[1], "slow1 quick1 slow2");
  advance(10_000);
  await calls[1]!.timeOut();
  assert.deepEqual(underWay().slice(2), ["slow1 slow2"]);
  advance(100);
  await calls[2]!.succeed();
  assert.deepEqual(underWay().slice(3), ["quick1"]);
  await calls[3]!.succeed();
  assert((await Promise.all(responses)).every(([result]) => result!.ok));
});

Deno.test("add() uses every slot for a single workspace, slow or not", async () => {
  const { calls, batcher, advance, underWay } = createWorld({ fullBatch: 1 });
  addAll(batcher, "only1");
  advance(1_000);
  await calls[0]!.succeed();
  addAll(batcher, "only2 only3 only4");
  advance(1_000);
  assert.deepEqual(underWay(), ["only1", "only2", "only3"]);
});

Deno.test("add() halves a request that takes too long, and rejects only the entry that causes it", async () => {
  const stored: string[] = [];
  const batcher = createBatcher({
    store: async (entries) => {
      await new Promise((resolve) => setTimeout(resolve));
      if (entries.includes("e5")) throw timeout();
      stored.push(...entries);
      return entries.map(resultOf);
    },
  });
  const entries = Array.from({ length: 8 }, (_, i) => `e${i}`);
  const results = await batcher.add("shop", entries);
  assert.deepEqual(stored, entries.filter((entry) => entry !== "e5"));
  assert.deepEqual(results.map((result) => result.ok ? "ok" : result.code), [
    ...Array(5).fill("ok"),
    "payload_too_large",
    "ok",
    "ok",
  ]);
});

Deno.test("add() limits the timeouts of a request, and reports the entries that were not tried", async () => {
  let calls = 0;
  const batcher = createBatcher({
    fullBatch: 1,
    store: async (entries) => {
      calls++;
      await new Promise((resolve) => setTimeout(resolve));
      if (entries.some((entry) => entry !== "good")) throw timeout();
      return entries.map(resultOf);
    },
  });
  const entries = Array.from({ length: 64 }, (_, i) => i < 40 ? "good" : `e${i}`);
  const [results] = await Promise.all([
    batcher.add("shop", entries),
    // Others are stored meanwhile: it is not the database that is slow.
    batcher.add("other", ["good"]),
  ]);
  assert(calls < 12, `${calls} calls`);
  assert.equal(results.length, 64);
  assert.equal(results.filter(({ ok }) => ok).length, 40);
  assert.deepEqual([...new Set(results.map((result) => result.ok ? "ok" : result.code))].sort(), [
    "ok",
    "unavailable",
  ]);
});

Deno.test("add() reports the entry that waits too long for a lock as unavailable, while others are stored", async () => {
  const batcher = createBatcher({
    store: async (entries) => {
      await new Promise((resolve) => setTimeout(resolve));
      if (entries.includes("e2")) throw Object.assign(new Error("lock timeout"), { code: "55P03" });
      return entries.map(resultOf);
    },
  });
  const results = await batcher.add("shop", ["e0", "e1", "e2", "e3"]);
  assert.deepEqual(results.map((result) => result.ok ? "ok" : result.code), [
    ...["ok", "ok", "unavailable", "ok"],
  ]);
});

Deno.test("add() rejects no entry while nothing can be stored", async () => {
  const batcher = createBatcher({
    store: async () => {
      await new Promise((resolve) => setTimeout(resolve));
      throw timeout();
    },
  });
  for (const entries of [["one"], ["a", "b", "c", "d"]]) {
    await assert.rejects(batcher.add("shop", entries), { code: "57014" });
  }
});
