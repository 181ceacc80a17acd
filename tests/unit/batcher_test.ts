import assert from "node:assert/strict";
import { createBatcher } from "../../supabase/functions/_shared/batcher.ts";
import type { IngestResult } from "../../supabase/functions/_shared/db/ingest.ts";
import { ApiError } from "../../supabase/functions/_shared/errors.ts";

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

function failure(code: string): Error {
  return Object.assign(new Error(`failed with ${code}`), { code });
}

/** Lets everything that can go on without the store go on. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

Deno.test("add() stores at once when nothing is under way", () => {
  const { calls, store } = createStore();
  void createBatcher({ store }).add(["a"]);
  assert.deepEqual(calls.map((call) => call.entries), [["a"]]);
});

Deno.test("add() gathers what arrives during a call and stores it with the next", async () => {
  const { calls, store } = createStore();
  const batcher = createBatcher({ store });
  const answers = ["a", "b", "c"].map((entry) => batcher.add([entry]));
  const bulk = batcher.add(["d", "e"]);
  assert.equal(calls.length, 1);
  calls[0]!.succeed();
  await settle();
  assert.deepEqual(calls[1]!.entries, ["b", "c", "d", "e"]);
  calls[1]!.succeed();
  assert.deepEqual(await Promise.all(answers), [[resultOf("a")], [resultOf("b")], [resultOf("c")]]);
  assert.deepEqual(await bulk, [resultOf("d"), resultOf("e")]);
});

Deno.test("add() answers nobody before the call with their own entries is committed", async () => {
  const { calls, store } = createStore();
  const batcher = createBatcher({ store });
  const answered: string[] = [];
  for (const entry of ["a", "b"]) void batcher.add([entry]).then(() => answered.push(entry));
  await settle();
  assert.deepEqual(answered, []);
  calls[0]!.succeed();
  await settle();
  assert.deepEqual(answered, ["a"]);
  calls[1]!.succeed();
  await settle();
  assert.deepEqual(answered, ["a", "b"]);
});

Deno.test("add() puts no more into one call than its bounds, but any one request whole", async () => {
  const { calls, store } = createStore();
  const batcher = createBatcher({ store, maxEntries: 3, maxCharacters: 100, fullBatch: 1000 });
  const requests = [["first"], ["a", "b"], ["c", "d"], ["x".repeat(200)], ["e"]];
  const answers = requests.map((entries) => batcher.add(entries));
  for (let i = 0; i < 5; i++) {
    await settle();
    calls[i]!.succeed();
  }
  await Promise.all(answers);
  assert.deepEqual(calls.map((call) => call.entries), requests);
});

Deno.test("add() starts a second call only when a full batch waits", () => {
  const { calls, store } = createStore();
  const batcher = createBatcher({ store, concurrency: 2, fullBatch: 3 });
  for (const entry of ["a", "b", "c"]) void batcher.add([entry]);
  assert.equal(calls.length, 1);
  void batcher.add(["d"]);
  assert.deepEqual(calls.map((call) => call.entries), [["a"], ["b", "c", "d"]]);
  for (const entry of ["e", "f", "g", "h"]) void batcher.add([entry]);
  assert.equal(calls.length, 2);
});

Deno.test("add() refuses with 503 beyond its bound and takes entries again afterwards", async () => {
  const { calls, store } = createStore();
  const batcher = createBatcher({ store, maxWaiting: 3, fullBatch: 1000 });
  const first = batcher.add(["a"]);
  const second = batcher.add(["b", "c"]);
  await assert.rejects(batcher.add(["d"]), (error) => {
    return error instanceof ApiError && error.status === 503 &&
      error.headers["Retry-After"] === "1";
  });
  calls[0]!.succeed();
  await first;
  await settle();
  calls[1]!.succeed();
  await second;
  await settle();
  const third = batcher.add(["e"]);
  calls[2]!.succeed();
  await third;
});

Deno.test("add() refuses with 503 what is too long to wait in memory, however few entries", async () => {
  const { calls, store } = createStore();
  const batcher = createBatcher({ store, maxWaitingCharacters: 10 });
  const first = batcher.add(["12345"]);
  const second = batcher.add(["12345"]);
  await assert.rejects(batcher.add(["1"]), (error) => {
    return error instanceof ApiError && error.status === 503;
  });
  calls[0]!.succeed();
  await first;
  await settle();
  calls[1]!.succeed();
  await second;
  await settle();
  const third = batcher.add(["1234567890"]);
  calls[2]!.succeed();
  await third;
});

Deno.test("add() lets nobody pay for another's entry", async () => {
  // An entry the database refuses, one that loses every race, and one that takes too long.
  for (const code of ["22P02", "40001", "57014"]) await assertIsolated(code);
});

async function assertIsolated(code: string): Promise<void> {
  const calls: (readonly string[])[] = [];
  const batcher = createBatcher({
    store: async (entries) => {
      calls.push(entries);
      await settle();
      if (entries.includes("bad")) throw failure(code);
      return entries.map(resultOf);
    },
  });
  const answers = await Promise.allSettled(
    ["first", "a", "bad", "b"].map((entry) => batcher.add([entry])),
  );
  assert.deepEqual(answers.map((answer) => answer.status), [
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  assert.deepEqual(calls, [["first"], ["a", "bad", "b"], ["a"], ["bad"], ["b"]]);
}

Deno.test("add() asks an absent database once for a batch, not once for each request", async () => {
  let calls = 0;
  const batcher = createBatcher({
    store: async () => {
      calls++;
      await settle();
      throw failure("ECONNREFUSED");
    },
  });
  const answers = await Promise.allSettled(
    ["a", "b", "c"].map((entry) => batcher.add([entry])),
  );
  assert(answers.every((answer) => answer.status === "rejected"));
  assert.equal(calls, 2);
});

Deno.test("add() asks a database that is too slow for everything no longer after two in succession", async () => {
  const calls: (readonly string[])[] = [];
  const batcher = createBatcher({
    store: async (entries) => {
      calls.push(entries);
      await settle();
      throw failure("57014");
    },
  });
  const answers = await Promise.allSettled(
    ["first", "a", "b", "c", "d"].map((entry) => batcher.add([entry])),
  );
  assert(answers.every((answer) => answer.status === "rejected"));
  assert.deepEqual(calls, [["first"], ["a", "b", "c", "d"], ["a"], ["b"]]);
});

Deno.test("add() does not promise that nothing was stored when the connection broke", async () => {
  const { calls, store } = createStore();
  const answer = createBatcher({ store }).add(["a"]);
  calls[0]!.fail(failure("CONNECTION_CLOSED"));
  await assert.rejects(answer, (error) => error instanceof ApiError && error.status === 500);
});
