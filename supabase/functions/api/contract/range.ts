import { z } from "zod";
import { invalidInput } from "../../_shared/errors/errors.ts";
import { oneOf, time, timestamp } from "./fields.ts";

const hourMs = 60 * 60 * 1000;
const lengthMs = { hour: hourMs, day: 24 * hourMs };
const mostIntervals = { hour: 24 * 31, day: 400 };
const usualIntervals = { hour: 24, day: 30 };

/** The rules of `readRange`, for descriptions of routes that return figures over time. */
export const rangeRules =
  "By hour (the last day by default, at most 31 days) or by day (the last 30 by default, at most " +
  "400).";

/** Query parameters of routes that return figures over time. */
export const rangeQuery = {
  since: time.optional().meta({ description: "Must be before until." }),
  until: time.optional(),
  interval: oneOf(["hour", "day"]).default("hour"),
};

/** The time range that the response covers. */
export const responseRange = {
  interval: z.enum(["hour", "day"]),
  since: timestamp.meta({ description: "Start of the first interval." }),
  until: timestamp,
};

/** Range of time and interval of a query, unchecked. */
export interface RangeQuery {
  since?: string | undefined;
  until?: string | undefined;
  interval: "hour" | "day";
}

/** Returns the requested range; defaults to the last day by hour, or the last 30 days by day. */
export function readRange({ since, until, interval }: RangeQuery, now: Date) {
  const end = until === undefined ? now.getTime() : Date.parse(until);
  const start = since === undefined
    ? end - usualIntervals[interval] * lengthMs[interval]
    : Date.parse(since);
  if (start >= end) throw invalidInput([{ field: "since", message: "must be before until" }]);
  const most = mostIntervals[interval];
  if (end - start > most * lengthMs[interval]) {
    const message = `must be at most ${most} intervals of one ${interval} before until`;
    throw invalidInput([{ field: "since", message }]);
  }
  return { since: new Date(start).toISOString(), until: new Date(end).toISOString(), interval };
}
