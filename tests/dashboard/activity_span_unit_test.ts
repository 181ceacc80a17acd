import assert from "node:assert/strict";
import { fillDay, hasHistory, spanOf } from "../../dashboard/src/pages/campaigns/activity_span.ts";

const start = "2026-11-01T10:20:00.000Z";
const after = (hours: number) => Date.parse(start) + hours * 3_600_000;

Deno.test("spanOf() divides the first four days into hours, then into days, for 30 days at most", () => {
  assert.deepEqual(spanOf(start, after(5)), {
    since: start,
    until: "2026-11-01T15:20:00.000Z",
    interval: "hour",
  });
  assert.equal(spanOf(start, after(97)).interval, "day");
  assert.equal(spanOf(start, after(24 * 90)).until, "2026-12-01T10:20:00.000Z");
});

Deno.test("spanOf() returns a span that is not empty when the clock of the browser is behind", () => {
  const { since, until } = spanOf(start, after(-1));
  assert.ok(since < until);
});

Deno.test("hasHistory() is true after the first hour", () => {
  assert.equal(hasHistory(start, after(0.9)), false);
  assert.equal(hasHistory(start, after(1)), true);
});

Deno.test("fillDay() adds the hours up to a day, and nothing to days", () => {
  const starts = ["2026-11-01T10:00:00.000Z", "2026-11-01T11:00:00.000Z"];
  const filled = fillDay(starts, spanOf(start, after(1)));
  assert.equal(filled.length, 24);
  assert.equal(filled[2], "2026-11-01T12:00:00.000Z");
  assert.deepEqual(fillDay(starts, spanOf(start, after(200))), starts);
});
