import assert from "node:assert/strict";
import { formatRelative } from "../../dashboard/src/format/time.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const cases: [distanceMs: number, text: string][] = [
  [0, "just now"],
  [-12_000, "12s ago"],
  [-90 * minuteMs, "1h ago"],
  [-47 * hourMs, "1d ago"],
  [3 * hourMs - 1_000, "in 3h"],
  [45 * minuteMs, "in 45m"],
  [30 * dayMs - 5_000, "in 30d"],
  [1.5 * dayMs, "in 1d"],
];

for (const [distanceMs, text] of cases) {
  Deno.test(`formatRelative() returns "${text}" for ${distanceMs} ms from now`, () => {
    assert.equal(formatRelative(new Date(Date.now() + distanceMs).toISOString()), text);
  });
}

Deno.test("formatRelative() returns the date after a month", () => {
  assert.equal(formatRelative("2020-02-03T12:00:00Z"), "3 Feb 2020");
});
