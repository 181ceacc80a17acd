import { formatClock, formatDay } from "./clock.ts";
import { describeDuration } from "./duration.ts";
import { currentZone } from "./zone.ts";

const units = [
  { seconds: 86_400, name: "d" },
  { seconds: 3_600, name: "h" },
  { seconds: 60, name: "m" },
  { seconds: 1, name: "s" },
] as const;
const longestDays = 30;

/** Formats a moment relative to now: "just now", "12s ago", "in 3h"; the date after a month. */
export function formatRelative(time: string, zone = currentZone(), now = Date.now()): string {
  const seconds = Math.trunc((now - Date.parse(time)) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 5) return "just now";
  if (distance > longestDays * 86_400) return formatDay(time, zone);
  return seconds > 0 ? `${inUnits(distance)} ago` : `in ${inUnits(roundUp(distance))}`;
}

/** Describes the time since a moment, after "in the last": "6 seconds", "minute", "3 days". */
export function describeSince(time: string, now = Date.now()): string {
  const seconds = Math.max(1, (now - Date.parse(time)) / 1000);
  const unit = units.find((each) => seconds >= each.seconds) ?? units[3];
  return describeDuration(`${Math.ceil(seconds / unit.seconds)}${unit.name}`);
}

function inUnits(seconds: number): string {
  const unit = units.find((each) => seconds >= each.seconds) ?? units[3];
  return `${Math.floor(seconds / unit.seconds)}${unit.name}`;
}

/** Rounds to hours beyond a day and to minutes beyond an hour, so that 30 days stay 30 days. */
function roundUp(seconds: number): number {
  const step = seconds > 23 * 3_600 ? 3_600 : seconds > 59 * 60 ? 60 : 1;
  return Math.ceil(seconds / step) * step;
}

/** Formats a moment to the millisecond, in the chosen time zone. */
export function formatLocal(time: string, zone = currentZone()): string {
  return `${formatDay(time, zone)}, ${formatClock(time, zone, "millisecond")}`;
}

/** Formats a moment like `formatLocal`, with the name of its zone, followed by UTC. */
export function formatExact(time: string, zone = currentZone()): string {
  return `${formatLocal(time, zone)} ${zone} (${new Date(time).toISOString()})`;
}

/** Formats a moment to the minute, in the chosen time zone. */
export function formatShort(time: string, zone = currentZone()): string {
  return `${formatDay(time, zone)}, ${formatClock(time, zone, "minute")}`;
}

/** Formats a time from a moment until another: whole days by the clock of the zone as days alone. */
export function formatSpan(since: string, until: string, zone = currentZone()): string {
  const isWhole = Date.parse(since) < Date.parse(until) &&
    [since, until].every((time) => formatClock(time, zone, "millisecond") === "00:00:00.000");
  if (!isWhole) return `${formatShort(since, zone)} – ${formatShort(until, zone)}`;
  // A span ends before its last moment.
  const first = formatDay(since, zone);
  const last = formatDay(Date.parse(until) - 1, zone);
  if (first === last) return first;
  const isSameYear = first.slice(-4) === last.slice(-4);
  return `${formatDay(since, zone, !isSameYear)} – ${last}`;
}

/** Returns whether a moment has passed, or is so close that a relative time would say "just now". */
export function isDue(time: string): boolean {
  return Date.parse(time) <= Date.now() + 5_000;
}

/** Formats milliseconds: 340 → "340 ms", 4210 → "4.2 s". */
export function formatDuration(durationMs: number): string {
  return durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}

const writtenTime = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** Returns a text of the api with its moments as the page shows them: "3 Feb 2026, 14:05". */
export function formatTimesIn(text: string, zone = currentZone()): string {
  return text.replace(
    writtenTime,
    (time) => `${formatDay(time, zone)}, ${formatClock(time, zone, "minute")}`,
  );
}
