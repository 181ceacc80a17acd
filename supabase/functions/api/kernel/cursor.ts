import { uuidForm } from "../../_shared/ids/uuid.ts";
import { Buffer } from "node:buffer";
import { invalidInput } from "../../_shared/errors/errors.ts";
import { maxCursorLength } from "../contract/fields.ts";
import { isWithinYears, readInstant } from "../contract/instants.ts";

const version = 1;

/** Position of a row in its list: the values that the list is sorted by. */
export type Position = readonly string[];

/** Returns the opaque cursor of a list; `list` prevents its use with another list. */
export function encodeCursor(list: string, position: Position): string {
  return Buffer.from(JSON.stringify([version, list, ...position])).toString("base64url");
}

/** Checks whether a text can be one of the values that a list is sorted by. */
export type PositionForm = (text: string) => boolean;

/** Form of the cursors of a list. */
export interface CursorForm {
  list: string;
  /** The expected form of each value. */
  forms: readonly PositionForm[];
}

/**
 * Returns the position that a cursor encodes; throws `invalid_input` if it belongs to another list.
 */
export function decodeCursor(text: string, { list, forms }: CursorForm): string[] {
  const values = parseCursor(text);
  if (values !== undefined) {
    const [gotVersion, gotList, ...position] = values;
    const isOfList = gotVersion === version && gotList === list && position.length === forms.length;
    if (isOfList && position.every((value, i) => isOfForm(value, forms[i]))) {
      return position as string[];
    }
  }
  throw invalidInput([{ field: "cursor", message: "must be a next_cursor returned by this list" }]);
}

function isOfForm(value: unknown, form: PositionForm | undefined): boolean {
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

/** Accepts texts that match a pattern. */
export function positionLike(pattern: RegExp): PositionForm {
  return (text) => pattern.test(text);
}

export const uuidPosition = positionLike(uuidForm);
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/;
/** Accepts a valid calendar time that Postgres can store. */
export const timePosition: PositionForm = (text) => {
  return timePattern.test(text) && isWithinYears(readInstant(text) ?? NaN);
};
/** Accepts any text that Postgres can store; length is counted in code points. */
// deno-lint-ignore no-control-regex
export const textPosition = positionLike(/^[^\x00]{1,255}$/su);
