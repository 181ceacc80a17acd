import { z } from "zod";
import { invalidInput } from "../../_shared/platform/errors.ts";
import { oneOf, time, timestamp } from "./fields.ts";

const hourMs = 60 * 60 * 1000;
const lengthMs = { hour: hourMs, day: 24 * hourMs };
const mostIntervals = { hour: 24 * 31, day: 400 };
const usualIntervals = { hour: 24, day: 30 };

/** How a range over which figures are asked for reads, beside `readRange`. */
export const rangeRules =
  "By hour (of the last day, 31 days at most) or by day (of the last 30, 400 at most).";

/** The query of figures over time. */
export const rangeQuery = {
  since: time.optional().meta({ description: "Must be before until." }),
  until: time.optional(),
  interval: oneOf(["hour", "day"]).default("hour"),
};

/** The range that was answered for. */
export const answeredRange = {
  interval: z.enum(["hour", "day"]),
  since: timestamp.meta({ description: "Start of the first interval." }),
  until: timestamp,
};

export interface RangeQuery {
  since?: string | undefined;
  until?: string | undefined;
  interval: "hour" | "day";
}

/** The range a query asks for: the last day by hours or the last 30 days, unless it says more. */
export function readRange({ since, until, interval }: RangeQuery, now: Date) {
  const end = until === undefined ? now.getTime() : Date.parse(until);
  const start = since === undefined
    ? end - usualIntervals[interval] * lengthMs[interval]
    : Date.parse(since);
  if (start >= end) throw invalidInput([{ field: "since", message: "must be before until" }]);
  const most = mostIntervals[interval];
  if (end - start > most * lengthMs[interval]) {
    const message = `must not be over ${most} intervals of one ${interval} before until`;
    throw invalidInput([{ field: "since", message }]);
  }
  return { since: new Date(start).toISOString(), until: new Date(end).toISOString(), interval };
}
