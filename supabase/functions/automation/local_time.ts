import { Temporal } from "temporal-polyfill";
import type { DateRule, TimeOfDayRule, Weekday } from "../_shared/journeys/definition.ts";

const weekdays: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const unitsMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const dateForm =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Reads a duration such as "36h" or "-7d", in ms; a day has 24 hours. */
export function readDuration(text: string): number {
  return Number(text.slice(0, -1)) * unitsMs[text.slice(-1)]!;
}

/** Returns the first of these time zones that is known, else UTC. */
export function chooseZone(...zones: readonly (string | null | undefined)[]): string {
  return zones.find((zone) => zone && isKnownZone(zone)) ?? "UTC";
}

const known = new Map<string, boolean>();

function isKnownZone(zone: string): boolean {
  let answer = known.get(zone);
  if (answer === undefined) {
    try {
      Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
      answer = true;
    } catch {
      answer = false;
    }
    known.set(zone, answer);
  }
  return answer;
}

/**
 * Returns the instant of a local time, in ms since 1970. If the time occurs twice, it is the first;
 * if it does not exist, it is the end of the gap.
 */
export function toInstant(local: Temporal.PlainDateTime, zone: string): number {
  const earlier = local.toZonedDateTime(zone, { disambiguation: "earlier" });
  const exists = earlier.toPlainDateTime().equals(local);
  return (exists ? earlier : earlier.getTimeZoneTransition("next")!).epochMilliseconds;
}

/** Returns the first instant at or after `since` with the local time of the rule, in ms. */
export function nextTimeOfDay(since: number, rule: TimeOfDayRule, zone: string): number {
  const time = Temporal.PlainTime.from(rule.at);
  const allowed = rule.weekdays ?? weekdays;
  let day = Temporal.Instant.fromEpochMilliseconds(since).toZonedDateTimeISO(zone).toPlainDate();
  // Starts on the day before: a time that a gap moved past midnight belongs to that day.
  day = day.subtract({ days: 1 });
  for (let tried = 0; tried < 16; tried++, day = day.add({ days: 1 })) {
    if (!allowed.includes(weekdays[day.dayOfWeek - 1]!)) continue;
    const instant = toInstant(day.toPlainDateTime(time), zone);
    if (instant >= since) return instant;
  }
  throw new Error(`Cannot find "${rule.at}" in zone "${zone}"`);
}

/**
 * Returns the instant of a date that is moved by the rule, in ms; undefined for a value that is not a
 * date. Whole days of an offset are days of the calendar if the rule has a time of day.
 */
export function dateInstant(
  value: unknown,
  rule: Omit<DateRule, "date">,
  zone: string,
): number | undefined {
  const date = readDate(value, zone);
  if (date === undefined) return undefined;
  const offset = rule.offset === undefined ? 0 : readDuration(rule.offset);
  if (rule.at === undefined) {
    const start = date.instant ?? toInstant(date.day.toPlainDateTime("00:00"), zone);
    return start + offset;
  }
  const days = Math.trunc(offset / unitsMs.d!);
  const local = date.day.add({ days }).toPlainDateTime(Temporal.PlainTime.from(rule.at));
  return toInstant(local, zone) + (offset - days * unitsMs.d!);
}

interface ReadDate {
  /** In the zone. */
  day: Temporal.PlainDate;
  /** Undefined for a day without a time. */
  instant?: number;
}

/** Reads `YYYY-MM-DD`, with or without a time; without an offset, a time is in UTC. */
function readDate(value: unknown, zone: string): ReadDate | undefined {
  const parts = typeof value === "string" ? dateForm.exec(value) : null;
  if (parts === null) return undefined;
  const [, day, time, offset = "Z"] = parts;
  try {
    if (time === undefined) return { day: Temporal.PlainDate.from(day!) };
    const instant = Temporal.Instant.from(`${day}T${time}${offset}`);
    return {
      day: instant.toZonedDateTimeISO(zone).toPlainDate(),
      instant: instant.epochMilliseconds,
    };
  } catch {
    return undefined;
  }
}
