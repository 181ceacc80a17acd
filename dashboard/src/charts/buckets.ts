import { formatClock, formatDay } from "../format/clock.ts";
import type { Bucket } from "./series.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const longestBySecondMs = 2 * hourMs;
const longestByHourMs = 96 * hourMs;

/** Returns the time between two buckets; 0 for a single one. */
function stepOf(data: readonly Pick<Bucket, "at">[]): number {
  return Date.parse(data[1]?.at ?? "") - Date.parse(data[0]?.at ?? "") || 0;
}

/** Returns whether the buckets are days, which are days in UTC. */
function isByDay(data: readonly Pick<Bucket, "at">[]): boolean {
  return stepOf(data) >= dayMs;
}

/** Returns whether the bucket that starts at this time has not ended yet. */
export function isUnfinished(at: string, data: readonly Pick<Bucket, "at">[]): boolean {
  return Date.parse(at) + stepOf(data) > Date.now();
}

/** Returns the time zone of the labels: UTC for days, the given one for shorter buckets. */
export function zoneOfBuckets(data: readonly Pick<Bucket, "at">[], zone: string): string {
  return isByDay(data) ? "UTC" : zone;
}

/** Labels buckets as precisely as the whole span needs, hours by the clock of a zone. */
export function labelBuckets(data: readonly Pick<Bucket, "at">[], zone: string): string[] {
  const shownZone = zoneOfBuckets(data, zone);
  const label = pickLabel(data);
  return data.map(({ at }) => label(at, shownZone));
}

type Label = (at: string, zone: string) => string;

const byDay: Label = (at, zone) => formatDay(at, zone, false);
const byMinute: Label = (at, zone) => `${byDay(at, zone)} ${formatClock(at, zone, "minute")}`;
const bySecond: Label = (at, zone) => formatClock(at, zone, "second");

function pickLabel(data: readonly Pick<Bucket, "at">[]): Label {
  if (isByDay(data)) return byDay;
  const spanMs = Date.parse(data.at(-1)?.at ?? "") - Date.parse(data[0]?.at ?? "");
  if (spanMs < longestBySecondMs) return bySecond;
  return spanMs < longestByHourMs ? byMinute : byDay;
}
