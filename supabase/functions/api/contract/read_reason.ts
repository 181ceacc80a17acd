/** Start of a field's path in an error: the place of its entry in a bulk. */
export const placeInBulk = /"(?:events|batch)\[\d+\]\.?/g;

/** Returns the error of an entry without the entry's place in its bulk. */
export function readReason(error: string): string {
  return error.replace(placeInBulk, '"');
}
