const unitSeconds: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
};

/** Longest window of an event condition, in days. */
export const maxWindowDays = 400;
/** Longest distance of a field's time, in days: a hundred years. */
export const maxDistanceDays = 36_500;

/**
 * Parses a duration such as "30s", "15m", "36h", "7d" or "2w" to seconds; a day has 24 hours.
 * Undefined if it is malformed or zero.
 */
export function readDuration(text: string): number | undefined {
  const match = /^([1-9]\d{0,9})([smhdw])$/.exec(text);
  return match === null ? undefined : Number(match[1]) * unitSeconds[match[2]!]!;
}
