import assert from "node:assert/strict";
import { measureProgress } from "../../dashboard/src/pages/campaigns/measure_progress.ts";

Deno.test("measureProgress() counts recipients that the figures do not know as waiting", () => {
  const measure = (recipients: number, waiting: number) =>
    measureProgress(33, { recipients, waiting });
  assert.deepEqual(measure(0, 0), { done: 0, waiting: 33 });
  assert.deepEqual(measure(10, 4), { done: 6, waiting: 27 });
  assert.deepEqual(measure(33, 1), { done: 32, waiting: 1 });
  assert.deepEqual(measure(33, 0), { done: 33, waiting: 0 });
});
