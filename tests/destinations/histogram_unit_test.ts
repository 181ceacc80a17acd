import assert from "node:assert/strict";
import {
  estimatePercentile,
  mergeBuckets,
} from "../../supabase/functions/api/resources/destinations/histogram.ts";

const fast = { fromMs: 0, attempts: 90, maxMs: 4 };
const slow = { fromMs: 1000, attempts: 10, maxMs: 1400 };

Deno.test("estimatePercentile() lies within the bucket of the attempt of that rank", () => {
  assert.equal(estimatePercentile([fast, slow], 50), 2);
  assert.equal(estimatePercentile([fast, slow], 90), 4);
  assert.equal(estimatePercentile([fast, slow], 95), 1200);
  assert.equal(estimatePercentile([fast, slow], 100), 1400);
});

Deno.test("estimatePercentile() returns a single attempt's bucket maximum", () => {
  for (const percent of [50, 95]) {
    assert.equal(estimatePercentile([{ fromMs: 20, attempts: 1, maxMs: 27 }], percent), 27);
  }
});

Deno.test("estimatePercentile() returns 0 without attempts", () => {
  assert.equal(estimatePercentile([], 95), 0);
});

Deno.test("mergeBuckets() adds attempts, keeps the longest and sorts", () => {
  assert.deepEqual(mergeBuckets([[slow], [fast], [{ ...fast, attempts: 1, maxMs: 3 }], []]), [
    { fromMs: 0, attempts: 91, maxMs: 4 },
    slow,
  ]);
});
