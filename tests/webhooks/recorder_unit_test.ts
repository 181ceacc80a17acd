import assert from "node:assert/strict";
import type { AttemptResult } from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { createLog } from "../../supabase/functions/_shared/platform/log.ts";
import { createRecorder } from "../../supabase/functions/webhook-dispatch/recorder.ts";

const silent = createLog({ name: "test", write: () => {} });

function result(id: string): AttemptResult {
  return {
    claim: "claim",
    id,
    workspace_id: "workspace",
    destination_id: "destination",
    message_id: "message",
    message_created_at: new Date(0),
    event_type: "order_created",
    attempt_number: 1,
    trigger: "event",
    action: "delivered",
    ok: true,
    status_code: 200,
    response_snippet: null,
    error: null,
    duration_ms: 1,
    attempted_at: new Date(0),
    next_attempt_at: null,
    reason: null,
  };
}

/** A database that fails as often as it is told to. */
function createStore(failures: (Error | null)[] = []) {
  const batches: string[][] = [];
  return {
    batches,
    record: (results: readonly AttemptResult[]) => {
      const failure = failures.shift() ?? null;
      if (failure) return Promise.reject(failure);
      batches.push(results.map(({ id }) => id));
      return Promise.resolve();
    },
  };
}

const down = () => Object.assign(new Error("connection closed"), { code: "CONNECTION_CLOSED" });
const refused = () => Object.assign(new Error("bad text"), { code: "22P05" });

Deno.test("results that come while one statement is under way go with the next", async () => {
  const store = createStore();
  const recorder = createRecorder({ record: store.record, log: silent });

  recorder.add(result("a"));
  await Promise.resolve();
  for (const id of ["b", "c"]) recorder.add(result(id));
  assert.equal(recorder.isIdle, false);
  await recorder.drain();

  assert.deepEqual(store.batches, [["a"], ["b", "c"]]);
  assert.equal(recorder.isIdle, true);
});

Deno.test("a statement that fails for want of a database is repeated until it is recorded", async () => {
  const store = createStore([down(), down()]);
  const recorder = createRecorder({ record: store.record, log: silent });

  recorder.add(result("a"));
  await recorder.drain();

  assert.deepEqual(store.batches, [["a"]]);
  assert.equal(recorder.isBehind, false);
});

Deno.test("one result that the database refuses does not take the others with it", async () => {
  const store = createStore();
  const record = (results: readonly AttemptResult[]) =>
    results.some(({ id }) => id === "bad") ? Promise.reject(refused()) : store.record(results);
  const recorder = createRecorder({ record, log: silent });

  for (const id of ["a", "b", "bad", "c", "d"]) recorder.add(result(id));
  await recorder.drain();

  assert.deepEqual(store.batches.flat().sort(), ["a", "b", "c", "d"]);
});

Deno.test("a result is recorded without the receiver's text when the database refuses that", async () => {
  const store = createStore();
  const record = (results: readonly AttemptResult[]) =>
    results.some(({ response_snippet }) => response_snippet !== null)
      ? Promise.reject(refused())
      : store.record(results);
  const recorder = createRecorder({ record, log: silent });

  recorder.add({ ...result("a"), response_snippet: "bad" });
  await recorder.drain();

  assert.deepEqual(store.batches, [["a"]]);
});

Deno.test("a recorder that gives up does not try again", async () => {
  const store = createStore([down()]);
  const recorder = createRecorder({ record: store.record, log: silent });
  recorder.giveUp();

  recorder.add(result("a"));
  await recorder.drain();

  assert.deepEqual(store.batches, []);
});
