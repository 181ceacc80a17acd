import type { PageRequest } from "./page_queries.ts";
import { type CursorForm, decodeCursor, encodeCursor, type Position } from "./cursor.ts";

interface PagingQuery {
  limit: number;
  cursor?: string | undefined;
}

/** Parses `limit` and `cursor` of a list query. */
export function readPage(form: CursorForm, { limit, cursor }: PagingQuery): PageRequest {
  return { limit, after: cursor === undefined ? undefined : decodeCursor(cursor, form) };
}

/** Page of a list, with the cursor of the next one. */
export interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

/** Builds a page from rows that were read with one row more than the limit. */
export function toPage<Row>(
  form: CursorForm,
  { rows, limit, positionOf }: {
    rows: readonly Row[];
    limit: number;
    positionOf: (row: Row) => Position;
  },
): Page<Row> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { data, next_cursor: hasMore ? encodeCursor(form.list, positionOf(last)) : null };
}

/** Number of rows of a list. */
interface Count {
  count: number;
  is_exact: boolean;
}

/** Adds the number of rows to the first page of a list. A list of one page needs no count. */
export async function withCount<Row>(
  page: Page<Row>,
  countRows: () => Promise<Count>,
): Promise<Page<Row> & Count> {
  if (page.next_cursor !== null) return { ...page, ...await countRows() };
  return { ...page, count: page.data.length, is_exact: true };
}

/** Sorts rows of several cells as each cell does: by id, descending. */
export function newestFirst<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}

/** Position of a row in a list that is sorted by id. */
export function positionOfId({ id }: { id: string }): Position {
  return [id];
}

/** Returns a row without its position, which is not part of the response. */
export function withoutPosition<Row extends { position_at: string }>(
  row: Row,
): Omit<Row, "position_at"> {
  const { position_at: _, ...rest } = row;
  return rest;
}
