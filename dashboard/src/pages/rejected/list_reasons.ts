import { capitalize } from "../../format/capitalize.ts";

/** Place of the entry in its bulk, which nobody sees here. */
const place = /^Field "(?:events|batch)\[\d+\]\.?/;

/**
 * Splits the error of an entry into its reasons: one for each wrong field, named by its place
 * within the entry.
 */
export function listReasons(error: string): string[] {
  return error.split(/; (?=field "|body )/)
    .map(capitalize)
    .map((reason) =>
      reason.replace(place, 'Field "').replace(/^(?:Field ""|Body|Entry) /, "The entry ")
    );
}

/** Returns the place of a field within its entry. */
export function placeInEntry(field: string): string {
  return field.replace(/^(?:events|batch)\[\d+\]\.?/, "");
}

/** Returns the place of an entry in its bulk, from 1; undefined if it was not named. */
export function positionInBulk(field: string): number | undefined {
  const [, index] = /^(?:events|batch)\[(\d+)\]/.exec(field) ?? [];
  return index === undefined ? undefined : Number(index) + 1;
}
