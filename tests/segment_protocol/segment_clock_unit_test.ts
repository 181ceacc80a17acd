import assert from "node:assert/strict";
import { createClockBook } from "../../supabase/functions/track/segment/clock.ts";

const start = Date.parse("2026-11-01T12:00:00Z");
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** A request: seconds after the start by our clock, and how far behind us its `sentAt` is, in ms. */
type Row = readonly [atSeconds: number, behindMs: number, sender?: string];

/** The offsets that a fresh book finds for the requests, in order, in ms. */
function findOffsets(rows: readonly Row[]): number[] {
  const book = createClockBook();
  return rows.map(([atSeconds, behindMs, sender = "sender"]) => {
    const receivedAt = start + atSeconds * second;
    return book.findOffset({ sender, sentAt: receivedAt - behindMs, receivedAt });
  });
}

/** Times in seconds of `count` requests, one each `every` seconds. */
function range(count: number, every: number): number[] {
  return Array.from({ length: count }, (_, i) => i * every);
}

Deno.test("a clock that is over 60 s ahead is corrected at once, a smaller difference is left", () => {
  assert.deepEqual(findOffsets([[0, -61_000], [1, -60_000], [2, -25 * hour]]), [
    -61_000,
    0,
    -25 * hour,
  ]);
  assert.deepEqual(findOffsets([[0, 60_000], [1, 59_000], [2, 0]]), [0, 0, 0]);
});

Deno.test("a sentAt in the past alone does not prove a wrong clock, at any distance", () => {
  assert.deepEqual(findOffsets([[0, 61_000], [10, 24 * hour], [20, 400 * 24 * hour]]), [0, 0, 0]);
});

Deno.test("a clock that is behind is corrected after a constant difference for long enough", () => {
  const behind = 2 * minute;
  const jitter = [0, 900, 300, 1_200, 100, 700];
  const rows = range(6, 30).map((at, i): Row => [at, behind + jitter[i]!]);
  // From the sixth on it was seen for as long as it is behind.
  assert.deepEqual(findOffsets(rows), [0, 0, 0, 0, 0, behind]);
});

Deno.test("a clock that is hours behind needs ten minutes of evidence", () => {
  const rows = range(7, 120).map((at): Row => [at, 25 * hour]);
  assert.deepEqual(findOffsets(rows), [0, 0, 0, 0, 0, 25 * hour, 25 * hour]);
});

Deno.test("a sender whose difference is not constant is never shifted", () => {
  const alternating: [number, number, number][] = [[90, 70, 12], [90, 82, 20], [70, 90, 12]];
  for (const [even, odd, every] of alternating) {
    const rows = range(200, every).map((at, i): Row => [at, (i % 2 === 0 ? even : odd) * second]);
    assert.deepEqual(new Set(findOffsets(rows)), new Set([0]), `${even} s, then ${odd} s`);
  }
});

Deno.test("one request that is off by over 5 s resets the evidence of a clock", () => {
  const rows = range(12, 30).map((at, i): Row => [at, (i === 4 ? 126 : 120) * second]);
  // The five after the sixth, and not the one after the fourth.
  const expected = [0, 0, 0, 0, 0, 0, 0, 0, 0, 120_000, 120_000, 120_000];
  assert.deepEqual(findOffsets(rows), expected);
});

Deno.test("a clock known to be behind is no longer corrected once its requests are late", () => {
  const known = range(10, 12).map((at): Row => [at, 70 * second]);
  const changing = range(100, 12).map((at, i): Row => {
    return [120 + at, (i % 2 === 0 ? 90 : 70) * second];
  });
  // The first delay and what follows it may be an outage; the next delay is not one.
  assert.deepEqual(new Set(findOffsets([...known, ...changing]).slice(12)), new Set([0]));
});

Deno.test("two requests are not enough evidence, at any distance", () => {
  assert.deepEqual(findOffsets([[0, 2 * minute], [600, 2 * minute]]), [0, 0]);
});

Deno.test("a repeatedly sent request counts as one that falls further behind", () => {
  const sentAt = start - 2 * minute;
  const book = createClockBook();
  for (const at of [0, 1, 2, 3, 60, 300, 900]) {
    const receivedAt = start + at * second;
    assert.equal(book.findOffset({ sender: "s", sentAt, receivedAt }), 0);
  }
});

Deno.test("a resent request counts once among others", () => {
  // The second has the same sentAt as the first.
  assert.deepEqual(findOffsets([[0, 120_000], [1, 121_000], [130, 120_000]]), [0, 0, 0]);
});

Deno.test("an uncorrected difference does not move late messages", () => {
  const known = range(10, 30).map((at): Row => [at, 30 * second]);
  assert.deepEqual(findOffsets([...known, [400, 70 * second]]).at(-1), 0);
});

Deno.test("a queue that drains after an outage does not prove a wrong clock", () => {
  // Made every five seconds through ten minutes, and received at once when the service is back.
  const drained = range(120, 5).map((at): Row => [600 + at / 100, (600 - at) * second]);
  assert.deepEqual(new Set(findOffsets(drained)), new Set([0]));
  // The same in the order that a stack, rather than a queue, is sent in.
  const backwards = drained.map(([, behind], i): Row => [600 + i / 100, 605_000 - behind]);
  assert.deepEqual(new Set(findOffsets(backwards)), new Set([0]));
});

Deno.test("requests that waited for the same retry do not prove a wrong clock", () => {
  // Retries 1, 2, 4, … 64 s apart: all requests made in the last minute of it are 127 s late.
  const rows = range(13, 5).map((at): Row => [127 + at, 127 * second]);
  assert.deepEqual(new Set(findOffsets(rows)), new Set([0]));
});

Deno.test("a constant delay after punctual requests does not prove a wrong clock", () => {
  const lagging = range(100, 10).map((at): Row => [60 + at, 70 * second]);
  assert.deepEqual(new Set(findOffsets([[0, 200], ...lagging])), new Set([0]));
});

Deno.test("through an outage a clock known to be behind is corrected by its own difference", () => {
  const known = range(7, 120).map((at): Row => [at, hour]);
  const late = [[800, hour + 70 * second], [801, hour + 65 * second]] as const;
  assert.deepEqual(findOffsets([...known, ...late]).slice(-2), [hour, hour]);
});

Deno.test("a clock that was set right is no longer corrected, and one set wrong is after an hour", () => {
  const known = range(7, 120).map((at): Row => [at, hour]);
  assert.equal(findOffsets([...known, [800, 100]]).at(-1), 0);
  const wrong = range(10, 120).map((at): Row => [3_700 + at, hour]);
  assert.equal(findOffsets([[0, 100], ...wrong]).at(-1), hour);
});

Deno.test("the clocks of several senders are distinguished", () => {
  const rows = range(7, 120).flatMap((at): Row[] => [[at, hour, "a"], [at, 5, "b"]]);
  assert.deepEqual(findOffsets(rows).slice(-2), [hour, 0]);
});

Deno.test("a sentAt before 2000 means that the clock was never set", () => {
  const behind = start - Date.parse("1970-01-01T00:10:00Z");
  assert.deepEqual(findOffsets([[0, behind]]), [behind]);
});
