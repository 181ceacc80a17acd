import type { PageRequest } from "./pages.ts";
import { type CursorForm, decodeCursor, encodeCursor, type Place } from "./cursor.ts";

interface PagingQuery {
  limit: number;
  cursor?: string | undefined;
}

/** Where the page that a query asks for begins. */
export function readPage(form: CursorForm, { limit, cursor }: PagingQuery): PageRequest {
  return { limit, after: cursor === undefined ? undefined : decodeCursor(cursor, form) };
}

export interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

/** A page of rows that were read with one more than its limit. */
export function toPage<Row>(
  form: CursorForm,
  { rows, limit, placeOf }: { rows: readonly Row[]; limit: number; placeOf: (row: Row) => Place },
): Page<Row> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { data, next_cursor: hasMore ? encodeCursor(form.list, placeOf(last)) : null };
}

/** The place of a row in a list that is sorted by id. */
export function placeOfId({ id }: { id: string }): Place {
  return [id];
}

/** A row without the text of its place, which is no part of the answer. */
export function withoutPlace<Row extends { place_at: string }>(row: Row): Omit<Row, "place_at"> {
  const { place_at: _, ...rest } = row;
  return rest;
}
