import { parseInstant } from "../../_shared/entries/fields.ts";

const earliest = 0;
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The rule that `isWithinYears` checks, as the end of an error message. */
export const yearsRule = "must be from 1970-01-01T00:00:00Z to 9999-12-31T23:59:59Z";

/**
 * Checks that a caller may use this instant: events cannot predate 1970, and Postgres parses only
 * four-digit years.
 */
export function isWithinYears(at: number): boolean {
  return at >= earliest && at <= latest;
}

/** Parses an RFC 3339 time with an offset to milliseconds since 1970; undefined if malformed. */
export function readInstant(text: string): number | undefined {
  const at = parseInstant(text);
  return Number.isNaN(at) ? undefined : at;
}
