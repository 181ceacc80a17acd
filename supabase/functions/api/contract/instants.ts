import { parseInstant } from "../../_shared/entries/fields.ts";

const earliest = 0;
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** What `isWithinYears` asks for, as the end of a sentence. */
export const yearsRule = "must be from 1970-01-01T00:00:00Z to 9999-12-31T23:59:59Z";

/**
 * Whether a caller may name an instant: nothing happened before, and Postgres reads no other years
 * than those of four digits.
 */
export function isWithinYears(at: number): boolean {
  return at >= earliest && at <= latest;
}

/** Milliseconds since 1970 of an RFC 3339 time with offset; undefined when it is none. */
export function readInstant(text: string): number | undefined {
  const at = parseInstant(text);
  return Number.isNaN(at) ? undefined : at;
}
