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

/** Returns whether a parameter of an address may have a value: only those of a range are checked. */
export function isReadable(name: string, value: string): boolean {
  if (name === "range") return rangePresets.some((preset) => preset.value === value);
  return name !== "since" && name !== "until" || readTime(value) !== undefined;
}

/** Returns the preset of an address; the first one for any other text. */
export function findPreset(range: string): typeof rangePresets[number] {
  return rangePresets.find(({ value }) => value === range) ?? rangePresets[0];
}

const maxHourly = 72;
const hourMs = 3_600_000;

/** Returns the start of the bucket so many hours ago, in ms, so that no bucket is cut. */
function startOf(hours: number): number {
  const bucketMs = hours <= maxHourly ? hourMs : 24 * hourMs;
  const start = Date.now() - hours * hourMs;
  return Math.floor(start / bucketMs) * bucketMs;
}

/** Turns filters into a range: their own times, or a preset until now. */
export function resolveRange({ range, since, until }: RangeFilters, fallback = "24h"): Range {
  const preset = findPreset(range ?? fallback);
  const start = readTime(since) ?? startOf(preset.hours);
  const end = readTime(until);
  const hours = Math.trunc(((end ?? Date.now()) - start) / hourMs);
  return {
    since: new Date(start).toISOString(),
    until: end === undefined ? undefined : new Date(end).toISOString(),
    interval: hours <= maxHourly ? "hour" : "day",
  };
}

/** Returns a time of an address in ms; undefined for any other text. */
function readTime(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}
