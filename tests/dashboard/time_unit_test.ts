import assert from "node:assert/strict";
import { formatRelative } from "../../dashboard/src/format/time.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const cases: [distanceMs: number, text: string][] = [
  [0, "just now"],
  [-12_000, "12s ago"],
  [-90 * MINUTE_MS, "1h ago"],
  [-47 * HOUR_MS, "1d ago"],
  [3 * HOUR_MS - 1_000, "in 3h"],
  [45 * MINUTE_MS, "in 45m"],
  [30 * DAY_MS - 5_000, "in 30d"],
  [1.5 * DAY_MS, "in 1d"],
];

for (const [distanceMs, text] of cases) {
  Deno.test(`formatRelative() returns "${text}" for ${distanceMs} ms from now`, () => {
    assert.equal(formatRelative(new Date(Date.now() + distanceMs).toISOString()), text);
  });
}

Deno.test("formatRelative() returns the date after a month", () => {
  assert.equal(formatRelative("2020-02-03T12:00:00Z"), "3 Feb 2020");
});
