import dayjs from "dayjs";
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

/** Names the time zone of the labels: UTC for days, the reader's own for shorter buckets. */
export function nameZone(data: readonly Pick<Bucket, "at">[]): string {
  return isByDay(data) ? "UTC" : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const utcDay = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** Labels buckets as precisely as the whole span needs. */
export function labelBuckets(data: readonly Pick<Bucket, "at">[]): string[] {
  if (isByDay(data)) return data.map(({ at }) => utcDay.format(new Date(at)));
  const spanMs = Date.parse(data.at(-1)?.at ?? "") - Date.parse(data[0]?.at ?? "");
  return data.map(({ at }) => dayjs(at).format(pickFormat(spanMs)));
}

function pickFormat(spanMs: number): string {
  if (spanMs < longestBySecondMs) return "HH:mm:ss";
  return spanMs < longestByHourMs ? "D MMM HH:mm" : "D MMM";
}
