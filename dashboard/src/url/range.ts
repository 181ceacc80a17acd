import dayjs from "dayjs";

export interface RangeFilters {
  range?: string;
  since?: string;
  until?: string;
}

/** Time range of a list or a figure, as the api takes it. */
export interface Range {
  since: string;
  until?: string | undefined;
  interval: "hour" | "day";
}

export const rangePresets = [
  { value: "24h", label: "24 hours", hours: 24 },
  { value: "7d", label: "7 days", hours: 24 * 7 },
  { value: "30d", label: "30 days", hours: 24 * 30 },
] as const;

const maxHourly = 72;
const hourMs = 3_600_000;

/** Returns the start of the bucket so many hours ago, so that no bucket is cut. */
function startOf(hours: number): dayjs.Dayjs {
  const bucketMs = hours <= maxHourly ? hourMs : 24 * hourMs;
  const start = Date.now() - hours * hourMs;
  return dayjs(Math.floor(start / bucketMs) * bucketMs);
}

/** Turns filters into a range: their own times, or a preset until now. */
export function resolveRange({ range, since, until }: RangeFilters, fallback = "24h"): Range {
  const preset = rangePresets.find(({ value }) => value === (range ?? fallback)) ?? rangePresets[0];
  const start = since && dayjs(since).isValid() ? dayjs(since) : startOf(preset.hours);
  const end = until && dayjs(until).isValid() ? dayjs(until) : null;
  const hours = (end ?? dayjs()).diff(start, "hour");
  return {
    since: start.toISOString(),
    until: end?.toISOString(),
    interval: hours <= maxHourly ? "hour" : "day",
  };
}
