import assert from "node:assert/strict";
import { createBatcher } from "../../supabase/functions/_shared/batching/batcher.ts";
import type { IngestResult } from "../../supabase/functions/_shared/entries/ingest.ts";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";

interface Call {
  entries: readonly string[];
  succeed: () => void;
  fail: (error: Error) => void;
}

function resultOf(entry: string): IngestResult {
  return { ok: true, event_id: `event of ${entry}`, customer_id: "customer" };
}

/** A store whose calls end when the test says so. */
function createStore() {
  const calls: Call[] = [];
  const store = (entries: readonly string[]) =>
    new Promise<IngestResult[]>((resolve, reject) => {
      calls.push({ entries, succeed: () => resolve(entries.map(resultOf)), fail: reject });
    });
  return { calls, store };
}

/** Time that stands still until it is moved, and what was scheduled for later. */
function createTime() {
  let at = 0;
  let scheduled: { at: number; run: () => void }[] = [];
  return {
    now: () => at,
    schedule: (run: () => void, ms: number) => {
      const item = { at: at + ms, run };
      scheduled.push(item);
      return () => void (scheduled = scheduled.filter((other) => other !== item));
    },
    advance(ms: number) {
      at += ms;
      const due = scheduled.filter((item) => item.at <= at);
      scheduled = scheduled.filter((item) => item.at > at);
      for (const { run } of due) run();
    },
  };
}

function failure(code: string): Error {
  return Object.assign(new Error(`failed with ${code}`), { code });
}

/** Lets everything that can continue without the store continue. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

Deno.test("add() stores immediately when no call is running", () => {
  const { calls, store } = createStore();
  void createBatcher({ store }).add("shop", ["a"]);
  assert.deepEqual(calls.map((call) => call.entries), [["a"]]);
});

Deno.test("add() collects entries during a call and stores them with the next", async () => {
  const { calls, store } = createStore();
  const batcher = createBatcher({ store });
  const responses = ["a", "b", "c"].map((entry) => batcher.add("shop", [entry]));
  const bulk = batcher.add("shop", ["d", "e"]);
  assert.equal(calls.length, 1);
  calls[0]!.succeed();
  await settle();
  assert.deepEqual(calls[1]!.entries, ["b", "c", "d", "e"]);
  calls[1]!.succeed();
  assert.deepEqual(await Promise.all(responses), [[resultOf("a")], [resultOf("b")], [
    resultOf("c"),
  ]]);
  assert.deepEqual(await bulk, [resultOf("d"), resultOf("e")]);
});

Deno.test("add() resolves only after the call with its entries is committed", async () => {
  const { calls, store } = createStore();
  const batcher = createBatcher({ store });
  const stored: string[] = [];
  for (const entry of ["a", "b"]) {
    void batcher.add("shop", [entry]).then(() => stored.push(entry));
  }
  await settle();
  assert.deepEqual(stored, []);
  calls[0]!.succeed();
  await settle();
  assert.deepEqual(stored, ["a"]);
  calls[1]!.succeed();
  await settle();
  assert.deepEqual(stored, ["a", "b"]);
});

Deno.test("add() limits the size of a call, but never splits a request", async () => {
  const { calls, store } = createStore();
  const batcher = createBatcher({ store, maxEntries: 3, maxCharacters: 100, fullBatch: 1000 });
  const requests = [["first"], ["a", "b"], ["c", "d"], ["x".repeat(200)], ["e"]];
  const responses = requests.map((entries) => batcher.add("shop", entries));
  for (let i = 0; i < 5; i++) {
    await settle();
    calls[i]!.succeed();
  }
  await Promise.all(responses);
  assert.deepEqual(calls.map((call) => call.entries), requests);
});

Deno.test("add() starts a second call only when a full batch waits", () => {
  const { calls, store } = createStore();
  const batcher = createBatcher({ store, concurrency: 2, fullBatch: 3, ...createTime() });
  for (const entry of ["a", "b", "c"]) void batcher.add("shop", [entry]);
  assert.equal(calls.length, 1);
  void batcher.add("shop", ["d"]);
  assert.deepEqual(calls.map((call) => call.entries), [["a"], ["b", "c", "d"]]);
  for (const entry of ["e", "f", "g", "h"]) void batcher.add("shop", [entry]);
  assert.equal(calls.length, 2);
});

Deno.test("add() returns 503 beyond its limit and accepts entries again afterwards", async () => {
  const { calls, store } = createStore();
  const batcher = createBatcher({
    store,
    maxWaiting: { entries: 3, characters: 1000 },
    fullBatch: 1000,
  });
  const first = batcher.add("shop", ["a"]);
  const second = batcher.add("shop", ["b", "c"]);
  await assert.rejects(batcher.add("shop", ["d"]), (error) => {
    return error instanceof ApiError && error.status === 503 &&
      error.headers["Retry-After"] === "1";
  });
  calls[0]!.succeed();
  await first;
  await settle();
  calls[1]!.succeed();
  await second;
  await settle();
  const third = batcher.add("shop", ["e"]);
  calls[2]!.succeed();
  await third;
});

Deno.test("add() returns 503 for entries too long to wait in memory, even a few", async () => {
  const { calls, store } = createStore();
  const batcher = createBatcher({ store, maxWaiting: { entries: 1000, characters: 10 } });
  const first = batcher.add("shop", ["12345"]);
  const second = batcher.add("shop", ["12345"]);
  await assert.rejects(batcher.add("shop", ["1"]), (error) => {
    return error instanceof ApiError && error.status === 503;
  });
  calls[0]!.succeed();
  await first;
  await settle();
  calls[1]!.succeed();
  await second;
  await settle();
  const third = batcher.add("shop", ["1234567890"]);
  calls[2]!.succeed();
  await third;
});

Deno.test("add() never fails a request because of another's entry", async () => {
  // An entry the database refuses, and one that loses every race.
  for (const code of ["22P02", "40001"]) {
    const responses = await storeWithBad(code);
    assert.deepEqual(responses.map((response) => response.status), [
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
  }
});

Deno.test("add() rejects an entry that takes too long while others are stored", async () => {
  const responses = await storeWithBad("57014");
  const results = responses.map((response) => response.status === "fulfilled" && response.value[0]);
  assert.deepEqual([results[0], results[1], results[3]], ["first", "a", "b"].map(resultOf));
  assert(results[2] && !results[2].ok && results[2].code === "payload_too_large");
});

async function storeWithBad(code: string) {
  const calls: (readonly string[])[] = [];
  const batcher = createBatcher({
    store: async (entries) => {
      calls.push(entries);
      await settle();
      if (entries.includes("bad")) throw failure(code);
      return entries.map(resultOf);
    },
  });
  const responses = await Promise.allSettled(
    ["first", "a", "bad", "b"].map((entry) => batcher.add("shop", [entry])),
  );
  assert.deepEqual(calls, [["first"], ["a", "bad", "b"], ["a"], ["bad"], ["b"]]);
  return responses;
}

Deno.test("add() asks a database that is down once per batch, not once per request", async () => {
  let calls = 0;
  const batcher = createBatcher({
    store: async () => {
      calls++;
      await settle();
      throw failure("ECONNREFUSED");
    },
  });
  const responses = await Promise.allSettled(
    ["a", "b", "c"].map((entry) => batcher.add("shop", [entry])),
  );
  assert(responses.every((response) => response.status === "rejected"));
  assert.equal(calls, 2);
});

Deno.test("add() stops asking a slow database after two timeouts in a row", async () => {
  const calls: (readonly string[])[] = [];
  const batcher = createBatcher({
    store: async (entries) => {
      calls.push(entries);
      await settle();
      throw failure("57014");
    },
  });
  const responses = await Promise.allSettled(
    ["first", "a", "b", "c", "d"].map((entry) => batcher.add("shop", [entry])),
  );
  assert(responses.every((response) => response.status === "rejected"));
  assert.deepEqual(calls, [["first"], ["a", "b", "c", "d"], ["a"], ["b"]]);
});

Deno.test("add() does not promise that nothing was stored if the connection broke", async () => {
  const { calls, store } = createStore();
  const response = createBatcher({ store }).add("shop", ["a"]);
  calls[0]!.fail(failure("CONNECTION_CLOSED"));
  await assert.rejects(response, (error) => error instanceof ApiError && error.status === 500);
});
