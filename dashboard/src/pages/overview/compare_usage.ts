import type { Usage } from "../../api/types.ts";
import { formatShare } from "../../format/numbers.ts";

const hourMs = 3_600_000;

type Bucket = Usage["data"][number];

/** A figure that each bucket has. */
export type CountedFigure = "events" | "customers" | "deliveries";

/** The buckets that have ended. The last one may still grow, which no earlier one does. */
function listEnded(data: readonly Bucket[], now: number): Bucket[] {
  const stepMs = stepOf(data);
  return data.filter(({ at }) => stepMs > 0 && Date.parse(at) + stepMs <= now);
}

function stepOf(data: readonly Bucket[]): number {
  return Date.parse(data[1]?.at ?? "") - Date.parse(data[0]?.at ?? "") || 0;
}

/** Returns the range before a period, as long as what has ended of it; undefined without any. */
export function findEarlierRange(
  { data, interval }: Usage,
  now: number,
): Pick<Usage, "since" | "until" | "interval"> | undefined {
  const start = data[0] && Date.parse(data[0].at);
  const lengthMs = listEnded(data, now).length * stepOf(data);
  if (start === undefined || lengthMs === 0) return undefined;
  return {
    since: new Date(start - lengthMs).toISOString(),
    until: new Date(start).toISOString(),
    interval,
  };
}

/**
 * Compares what has ended of a period with the time before it, in words.
 *
 * @returns undefined if there was nothing before, or nothing to compare
 */
export function compareUsage(
  figure: CountedFigure,
  { usage, earlier }: { usage: Usage; earlier: Usage },
  now: number,
): string | undefined {
  const before = sum(earlier.data, figure);
  if (before === 0) return undefined;
  const percent = Math.round((sum(listEnded(usage.data, now), figure) / before - 1) * 100);
  const period = namePeriod(earlier);
  if (percent === 0) return `Same as ${period}`;
  return `${Math.abs(percent)}% ${percent > 0 ? "more" : "fewer"} than ${period}`;
}

/** Says how many of the earlier deliveries succeeded, in words; undefined if there were none. */
export function describeEarlierRate(earlier: Usage): string | undefined {
  const before = sum(earlier.data, "deliveries");
  if (before === 0) return undefined;
  const rate = formatShare(before - sum(earlier.data, "failures"), before);
  return `${rate} in ${namePeriod(earlier)}`;
}

function sum(buckets: readonly Bucket[], figure: CountedFigure | "failures"): number {
  return buckets.reduce((total, bucket) => total + bucket[figure], 0);
}

function namePeriod({ since, until }: Pick<Usage, "since" | "until">): string {
  const hours = Math.round((Date.parse(until) - Date.parse(since)) / hourMs);
  if (hours === 1) return "the previous hour";
  return hours > 24 && hours % 24 === 0
    ? `the previous ${hours / 24} days`
    : `the previous ${hours}\u00a0h`;
}
