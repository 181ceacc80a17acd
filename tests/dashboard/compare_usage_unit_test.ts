import assert from "node:assert/strict";
import type { Usage } from "../../dashboard/src/api/types.ts";
import {
  compareUsage,
  describeEarlierRate,
  findEarlierRange,
} from "../../dashboard/src/pages/overview/compare_usage.ts";

const now = Date.parse("2026-11-28T16:30:00Z");

/** Usage by the hour. */
function makeUsage(since: string, events: readonly number[]): Usage {
  const start = Date.parse(since);
  const at = (hours: number) => new Date(start + hours * 3_600_000).toISOString();
  return {
    since: at(0),
    until: at(events.length),
    interval: "hour",
    data: events.map((count, n) => ({ at: at(n), events: count, customers: 0 })),
  } as unknown as Usage;
}

const usage = makeUsage("2026-11-28T14:00:00Z", [30, 30, 999]);

Deno.test("findEarlierRange() is as long as what has ended of the period", () => {
  assert.deepEqual(findEarlierRange(usage, now), {
    since: "2026-11-28T12:00:00.000Z",
    until: "2026-11-28T14:00:00.000Z",
    interval: "hour",
  });
  assert.equal(findEarlierRange(makeUsage("2026-11-28T16:00:00Z", [5]), now), undefined);
});

Deno.test("compareUsage() leaves out the hour that has not ended", () => {
  const compare = (events: readonly number[]) =>
    compareUsage("events", { usage, earlier: makeUsage("2026-11-28T12:00:00Z", events) }, now);
  assert.equal(compare([25, 25]), "20% more than the previous 2\u00a0h");
  assert.equal(compare([40, 40]), "25% fewer than the previous 2\u00a0h");
  assert.equal(compare([60, 0]), "Same as the previous 2\u00a0h");
  assert.equal(compare([0, 0]), undefined);
});

Deno.test("compareUsage() names a day", () => {
  const day = (since: string, count: number) => makeUsage(since, Array(24).fill(count));
  const pair = { usage: day("2026-11-27T16:00:00Z", 2), earlier: day("2026-11-26T16:00:00Z", 1) };
  assert.equal(compareUsage("events", pair, now), "100% more than the previous 24\u00a0h");
});

Deno.test("describeEarlierRate() gives the share of all attempts that succeeded", () => {
  const rated = (buckets: readonly [number, number][]) => {
    const earlier = makeUsage("2026-11-28T12:00:00Z", buckets.map(() => 0));
    const data = earlier.data.map((bucket, n) => ({
      ...bucket,
      deliveries: buckets[n]![0],
      failures: buckets[n]![1],
    }));
    return describeEarlierRate({ ...earlier, data });
  };
  assert.equal(rated([[90, 9], [10, 1]]), "90% in the previous 2\u00a0h");
  assert.equal(rated([[0, 0], [0, 0]]), undefined);
});
