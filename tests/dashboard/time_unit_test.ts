import assert from "node:assert/strict";
import { fromFieldTime, toFieldTime } from "../../dashboard/src/format/clock.ts";
import {
  describeSince,
  formatExact,
  formatRelative,
  formatShort,
  formatSpan,
  formatTimesIn,
} from "../../dashboard/src/format/time.ts";

const now = Date.parse("2026-09-30T20:15:07.089Z");
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
    assert.equal(formatRelative(new Date(now + distanceMs).toISOString(), "UTC", now), text);
  });
}

Deno.test('describeSince() continues "in the last" with a span that covers the moment', () => {
  const since = (distanceMs: number) =>
    describeSince(new Date(now - distanceMs).toISOString(), now);
  assert.equal(since(0), "second");
  assert.equal(since(5_500), "6 seconds");
  assert.equal(since(90_000), "2 minutes");
  assert.equal(since(2.5 * dayMs), "3 days");
});

Deno.test("formatRelative() returns the date after a month, by the clock of the zone", () => {
  assert.equal(formatRelative("2020-02-03T23:00:00Z", "UTC"), "3 Feb 2020");
  assert.equal(formatRelative("2020-02-03T23:00:00Z", "Asia/Kolkata"), "4 Feb 2020");
});

Deno.test("formatShort() and formatExact() follow the zone, which the exact time names", () => {
  const time = "2026-09-30T20:15:07.089Z";
  assert.equal(formatShort(time, "UTC"), "30 Sep 2026, 20:15");
  assert.equal(formatShort(time, "Asia/Kolkata"), "1 Oct 2026, 01:45");
  assert.equal(
    formatExact(time, "America/New_York"),
    "30 Sep 2026, 16:15:07.089 America/New_York (2026-09-30T20:15:07.089Z)",
  );
});

const moments: [zone: string, local: string, utc: string][] = [
  ["UTC", "2026-11-23 00:00:00", "2026-11-23T00:00:00.000Z"],
  ["Europe/Berlin", "2026-07-01 09:30:00", "2026-07-01T07:30:00.000Z"],
  ["Asia/Kolkata", "2026-01-01 00:10:00", "2025-12-31T18:40:00.000Z"],
  // The hours before and after the clock changes.
  ["Europe/Berlin", "2026-03-29 01:59:59", "2026-03-29T00:59:59.000Z"],
  ["Europe/Berlin", "2026-03-29 03:00:00", "2026-03-29T01:00:00.000Z"],
  ["America/New_York", "2026-11-01 00:30:00", "2026-11-01T04:30:00.000Z"],
  ["America/New_York", "2026-11-01 02:30:00", "2026-11-01T07:30:00.000Z"],
];

for (const [zone, local, utc] of moments) {
  Deno.test(`a field's time ${local} in ${zone} is ${utc}, and back`, () => {
    assert.equal(fromFieldTime(local, zone), utc);
    assert.equal(toFieldTime(utc, zone), local);
  });
}

Deno.test("formatTimesIn() shows the moments of a text by the clock of the zone", () => {
  const text = "Messages wait from 2026-05-20T13:00:00.000Z until 2026-05-20T22:30:00Z";
  assert.equal(
    formatTimesIn(text, "Europe/Berlin"),
    "Messages wait from 20 May 2026, 15:00 until 21 May 2026, 00:30",
  );
});

Deno.test("formatSpan() writes whole days of the zone as days, without the moment of the end", () => {
  const cases = [
    ["2024-05-31T00:00:00Z", "2024-06-30T00:00:00Z", "UTC", "31 May – 29 Jun 2024"],
    ["2023-12-31T00:00:00Z", "2024-01-02T00:00:00Z", "UTC", "31 Dec 2023 – 1 Jan 2024"],
    ["2024-05-31T00:00:00Z", "2024-06-01T00:00:00Z", "UTC", "31 May 2024"],
    ["2024-05-30T22:00:00Z", "2024-06-29T22:00:00Z", "Europe/Berlin", "31 May – 29 Jun 2024"],
    [
      "2024-05-31T00:00:00Z",
      "2024-05-31T12:30:00Z",
      "UTC",
      "31 May 2024, 00:00 – 31 May 2024, 12:30",
    ],
    [
      "2024-06-01T00:00:00Z",
      "2024-06-01T00:00:00Z",
      "UTC",
      "1 Jun 2024, 00:00 – 1 Jun 2024, 00:00",
    ],
  ] as const;
  for (const [since, until, zone, text] of cases) {
    assert.equal(formatSpan(since, until, zone), text);
  }
});
