import assert from "node:assert/strict";
import { pickOutcomes } from "../../dashboard/src/pages/senders/outcomes.ts";

const none = { sent: 0, failed: 0, skipped: 0, unknown: 0, retried: 0 };

Deno.test("pickOutcomes() draws what was sent, and the other outcomes that occur", () => {
  const labels = (totals?: typeof none) => pickOutcomes(totals).map(({ label }) => label);
  assert.deepEqual(labels(), ["Sent"]);
  assert.deepEqual(labels(none), ["Sent"]);
  assert.deepEqual(labels({ ...none, sent: 9, skipped: 2, retried: 1 }), [
    "Sent",
    "Skipped",
    "Will be retried",
  ]);
});
