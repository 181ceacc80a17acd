import dayjs from "dayjs";

export interface RangeFilters {
  range?: string;
  since?: string;
  until?: string;
}

/** What a list or a figure is asked for. */
export interface Range {
  since: string;
  until?: string;
  interval: "hour" | "day";
}

export const RANGES = [
  { value: "24h", label: "24 hours", hours: 24 },
  { value: "7d", label: "7 days", hours: 24 * 7 },
  { value: "30d", label: "30 days", hours: 24 * 30 },
] as const;

const MAX_HOURLY = 72;

/** The filters' own times, or so long ago until now. */
export function resolveRange({ range, since, until }: RangeFilters, fallback = "24h"): Range {
  const preset = RANGES.find(({ value }) => value === (range ?? fallback)) ?? RANGES[0];
  // To the minute, or every drawing of a page would ask for another range.
  const start = since && dayjs(since).isValid()
    ? dayjs(since)
    : dayjs().startOf("minute").subtract(preset.hours, "hour");
  const end = until && dayjs(until).isValid() ? dayjs(until) : null;
  const hours = (end ?? dayjs()).diff(start, "hour");
  return {
    since: start.toISOString(),
    until: end?.toISOString(),
    interval: hours <= MAX_HOURLY ? "hour" : "day",
  };
}
