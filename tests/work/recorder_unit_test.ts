import assert from "node:assert/strict";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { systemClock } from "../../supabase/functions/_shared/work/clock.ts";
import { createRecorder } from "../../supabase/functions/_shared/work/recorder.ts";

interface Receipt {
  id: string;
  note?: string;
}

const log = createLog({ name: "test", write: () => {} });

/** A database that fails with each of the given failures, and rejects some results for their data. */
function createStore(
  options: { failures?: Error[]; rejects?: (result: Receipt) => boolean } = {},
) {
  const { failures = [], rejects = () => false } = options;
  const batches: Receipt[][] = [];
  const recorder = createRecorder<Receipt>({
    record(results) {
      const failure = results.some(rejects) ? rejected() : failures.shift();
      if (failure) return Promise.reject(failure);
      batches.push([...results]);
      return Promise.resolve();
    },
    simplify: ({ id, note }) => note === undefined ? undefined : { id },
    clock: systemClock,
    log,
  });
  return { batches, recorder };
}

const down = () => Object.assign(new Error("connection closed"), { code: "CONNECTION_CLOSED" });
const rejected = () => Object.assign(new Error("bad text"), { code: "22P05" });

Deno.test("results that come while one statement is under way go with the next", async () => {
  const { batches, recorder } = createStore();

  recorder.add({ id: "a" });
  await Promise.resolve();
  for (const id of ["b", "c"]) recorder.add({ id });
  assert.equal(recorder.isIdle, false);
  await recorder.drain();

  assert.deepEqual(batches, [[{ id: "a" }], [{ id: "b" }, { id: "c" }]]);
  assert.equal(recorder.isIdle, true);
});

Deno.test("a statement that fails because the database is away is repeated until it is recorded", async () => {
  const { batches, recorder } = createStore({ failures: [down(), down()] });

  recorder.add({ id: "a" });
  await recorder.drain();

  assert.deepEqual(batches, [[{ id: "a" }]]);
  assert.equal(recorder.isBehind, false);
});

Deno.test("one result that the database rejects does not take the others with it", async () => {
  const { batches, recorder } = createStore({ rejects: ({ id }) => id === "bad" });

  for (const id of ["a", "b", "bad", "c", "d"]) recorder.add({ id });
  await recorder.drain();

  assert.deepEqual(batches.flat().map(({ id }) => id).sort(), ["a", "b", "c", "d"]);
  assert.equal(recorder.isBehind, false);
});

Deno.test("a rejected result is recorded in its simpler form", async () => {
  const { batches, recorder } = createStore({ rejects: ({ note }) => note !== undefined });

  recorder.add({ id: "a", note: "bad" });
  await recorder.drain();

  assert.deepEqual(batches, [[{ id: "a" }]]);
});

Deno.test("a recorder that gives up does not try again", async () => {
  const { batches, recorder } = createStore({ failures: [down()] });
  recorder.giveUp();

  recorder.add({ id: "a" });
  await recorder.drain();

  assert.deepEqual(batches, []);
});
