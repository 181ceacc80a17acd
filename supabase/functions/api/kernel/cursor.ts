import { Buffer } from "node:buffer";
import { invalidInput } from "../../_shared/platform/errors.ts";
import { maxCursorLength } from "../contract/fields.ts";
import { isWithinYears, readInstant } from "../contract/instants.ts";

const version = 1;

/** The place of a row in its list: the values that the list is sorted by. */
export type Place = readonly string[];

/** An opaque cursor of a list; `list` keeps one from being taken for another list's. */
export function encodeCursor(list: string, place: Place): string {
  return Buffer.from(JSON.stringify([version, list, ...place])).toString("base64url");
}

/** Tells whether a text can be a value that a list is sorted by. */
export type PlaceForm = (text: string) => boolean;

export interface CursorForm {
  list: string;
  /** The form of each value. */
  forms: readonly PlaceForm[];
}

/** The place a cursor stands for; throws `invalid_input` for one that is not of this list. */
export function decodeCursor(text: string, { list, forms }: CursorForm): string[] {
  const values = parseCursor(text);
  if (values !== undefined) {
    const [gotVersion, gotList, ...place] = values;
    const isOfList = gotVersion === version && gotList === list && place.length === forms.length;
    if (isOfList && place.every((value, i) => isOfForm(value, forms[i]))) return place as string[];
  }
  throw invalidInput([{ field: "cursor", message: "must be a next_cursor of this very list" }]);
}

function isOfForm(value: unknown, form: PlaceForm | undefined): boolean {
  return typeof value === "string" && form !== undefined && form(value);
}

function parseCursor(text: string): unknown[] | undefined {
  if (text.length > maxCursorLength) return undefined;
  try {
    const values: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return Array.isArray(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** The form of texts that match. */
export function placeLike(pattern: RegExp): PlaceForm {
  return (text) => pattern.test(text);
}

export const uuidPlace = placeLike(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/;
/** A time of the calendar that the database can hold. */
export const timePlace: PlaceForm = (text) => {
  return timePattern.test(text) && isWithinYears(readInstant(text) ?? NaN);
};
/** Any text that the database can hold; characters are code points. */
// deno-lint-ignore no-control-regex
export const textPlace = placeLike(/^[^\x00]{1,255}$/su);
