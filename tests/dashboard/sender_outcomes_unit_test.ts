import assert from "node:assert/strict";
import { pickOutcomes, pickReports } from "../../dashboard/src/pages/senders/outcomes.ts";

const none = {
  sent: 0,
  failed: 0,
  skipped: 0,
  unknown: 0,
  retried: 0,
  bounced: 0,
  complained: 0,
};

Deno.test("pickOutcomes() draws what was sent, and the other outcomes that occur", () => {
  const labels = (totals?: typeof none) => pickOutcomes(totals).map(({ label }) => label);
  assert.deepEqual(labels(), ["Sent"]);
  assert.deepEqual(labels(none), ["Sent"]);
  assert.deepEqual(labels({ ...none, sent: 9, skipped: 2, retried: 1 }), [
    "Sent",
    "Skipped",
    "Failed, will be retried",
  ]);
});

Deno.test("pickReports() draws bounces and complaints where they occur", () => {
  const labels = (totals: typeof none) => pickReports(totals).map(({ label }) => label);
  assert.deepEqual(labels({ ...none, sent: 9 }), []);
  assert.deepEqual(labels({ ...none, sent: 9, complained: 1 }), ["Complained"]);
  assert.deepEqual(labels({ ...none, bounced: 2, complained: 1 }), ["Bounced", "Complained"]);
});
