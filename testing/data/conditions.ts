import assert from "node:assert/strict";
import { z } from "zod";
import { validate } from "../../supabase/functions/_shared/entries/validate.ts";
import { condition } from "../../supabase/functions/api/contract/conditions/schema.ts";

const body = z.strictObject({ condition });

/** Returns the faults of a condition, each as `path: message`. */
export function faultsOf(value: unknown): string[] {
  const read = validate(body, { condition: value });
  return read.ok ? [] : read.details.map(({ field, message }) => `${field}: ${message}`);
}

/** Returns the first fault of a condition. */
export function faultOf(value: unknown): string | undefined {
  return faultsOf(value)[0];
}

/** Fails unless each condition is valid. */
export function assertAccepted(...values: unknown[]): void {
  for (const value of values) assert.deepEqual(faultsOf(value), [], JSON.stringify(value));
}

/** The shortest condition. */
export const leaf = { event: "order_completed" };
/** Returns so many leaves. */
export const createLeaves = (count: number) => Array.from({ length: count }, () => leaf);

/** A fixed range of time. */
export const fixedRange = { since: "2026-01-01T00:00:00Z", until: "2026-02-01T00:00:00+01:00" };
/** Bounds of a figure. */
export const totalBounds = { property: "total", gte: 500 };
/** One condition of every kind. */
export const sampleConditions = [
  { all: [leaf] },
  { any: [leaf, { not: leaf }] },
  { field: "attributes.plan", op: "eq", value: "pro" },
  { field: "attributes.a.b.c", op: "exists" },
  { field: "is_identified", op: "eq", value: true },
  { field: "created_at", op: "within_last", value: "52w" },
  { field: "last_seen_at", op: "before", value: "2026-01-01T00:00:00Z" },
  { field: "email", op: "ends_with", value: "@example.com" },
  { field: "country", op: "in", value: ["DE", "AT"] },
  { field: "attributes.birthday", op: "anniversary_today" },
  { ...leaf, where: [], within: "400d", count: { eq: 0 } },
  { ...leaf, where: [{ property: "total", op: "gte", value: 100 }], count: { gte: 2, lte: 100 } },
  { ...leaf, ...fixedRange },
  { ...leaf, until: fixedRange.until, sum: totalBounds },
  { ...leaf, within: "90d", min: totalBounds },
  { ...leaf, within: "30s", max: { property: "total", lt: 1, gt: -1 } },
  { segment: "0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e6f" },
  { segment: "vip" },
  { topic: "newsletter" },
  { topic: "newsletter", subscribed: false },
  { journey: "welcome", state: "completed" },
  { bucket: "experiment-7", from: 0, to: 50 },
  { bucket: "experiment-7", from: 33.33, to: 100 },
];
