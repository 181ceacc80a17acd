import assert from "node:assert/strict";
import { describeRest } from "../../dashboard/src/pages/journeys/rehearsal/describe_rest.ts";

const created_at = "2026-11-01T10:00:00.000Z";
const after = (seconds: number) => Date.parse(created_at) + seconds * 1000;
const describe = (done: number, total: number, seconds: number) =>
  describeRest({ done, total, created_at }, after(seconds));

Deno.test("describeRest() foretells the rest from the pace so far", () => {
  assert.equal(describe(100, 200, 20), "less than a minute left");
  assert.equal(describe(100, 1_000, 20), "about 3 min left");
  assert.equal(describe(1, 1_000, 20), "about 6 h left");
});

Deno.test("describeRest() is null before the first customers, and for the last", () => {
  assert.equal(describe(0, 200, 20), null);
  assert.equal(describe(5, 200, 4), null);
  assert.equal(describe(200, 200, 20), null);
});
