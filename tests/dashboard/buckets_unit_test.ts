import assert from "node:assert/strict";
import { isUnfinished, labelBuckets, zoneOfBuckets } from "../../dashboard/src/charts/buckets.ts";

const hourMs = 3_600_000;

function buckets(start: string, stepHours: number, count: number): { at: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.parse(start) + index * stepHours * hourMs).toISOString(),
  }));
}

Deno.test("days are labelled in UTC, in any time zone of the reader", () => {
  const days = buckets("2026-11-20T00:00:00Z", 24, 3);
  assert.deepEqual(labelBuckets(days, "America/Los_Angeles"), ["20 Nov", "21 Nov", "22 Nov"]);
  assert.equal(zoneOfBuckets(days, "America/Los_Angeles"), "UTC");
});

Deno.test("hours are labelled in the chosen time zone, which is named", () => {
  const hours = buckets("2026-11-20T00:00:00Z", 1, 3);
  assert.equal(zoneOfBuckets(hours, "Asia/Kolkata"), "Asia/Kolkata");
  assert.equal(labelBuckets(hours, "Asia/Kolkata")[0], "20 Nov 05:30");
});

Deno.test("only the bucket in progress is unfinished", () => {
  const now = Math.floor(Date.now() / hourMs) * hourMs;
  const hours = buckets(new Date(now - 2 * hourMs).toISOString(), 1, 3);
  assert.deepEqual(hours.map(({ at }) => isUnfinished(at, hours)), [false, false, true]);
});
