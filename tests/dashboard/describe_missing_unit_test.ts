import assert from "node:assert/strict";
import { describeMissing } from "../../dashboard/src/pages/explore/describe_missing.ts";

const ask = (kind: string, ...names: string[]) =>
  describeMissing({ kind, events: JSON.stringify(names.map((event) => ({ event }))) });

Deno.test("describeMissing() names the first empty place of a question", () => {
  assert.deepEqual([ask("counts"), ask("counts", "viewed", "")], [
    "Choose an event to see its trend.",
    "Choose an event to compare, or remove the empty one.",
  ]);
  assert.deepEqual([ask("funnel"), ask("funnel", "viewed"), ask("funnel", "viewed", "paid", "")], [
    "Choose a first step to see the funnel.",
    "Choose a second step to see the funnel.",
    "Choose step 3 to see the funnel.",
  ]);
  assert.deepEqual([ask("retention"), ask("retention", "viewed")], [
    "Choose the first event to see retention.",
    "Choose the returning event to see retention.",
  ]);
  assert.equal(ask("paths"), "Choose an event to see the paths that follow it.");
});
