import type { NameSort, TimeSort } from "../contract/sorting.ts";
import type { CallerSql } from "./caller.ts";
import { type CursorForm, type Position, textPosition, uuidPosition } from "./cursor.ts";
import {
  firstUuid,
  type Fragment,
  lastUuid,
  type PageRequest,
  startAfter,
} from "./page_queries.ts";

/** The parts of a statement that returns a page of a sorted list. */
export interface PageOrder {
  /** Condition that starts the page, with `and`; empty for the first page of most lists. */
  start: Fragment;
  /** The values to order by. */
  by: Fragment;
}

/** Start and size of a page of a list that is sorted by time. */
export interface TimePageRequest extends PageRequest {
  sort?: TimeSort | undefined;
}

/** Start and size of a page of a list of named resources. */
export interface NamePageRequest extends PageRequest {
  sort?: NameSort | undefined;
}

/** Returns the form of a list's cursors in one order, so that no other order accepts them. */
export function sortedForm({ list, forms }: CursorForm, sort: NameSort): CursorForm {
  if (sort === "newest") return { list, forms };
  return { list: `${list}:${sort}`, forms: sort === "name" ? [textPosition, uuidPosition] : forms };
}

/** Returns the position of a row in a list of named resources. */
export function positionByName(sort: NameSort): (row: { id: string; name: string }) => Position {
  return ({ id, name }) => sort === "name" ? [name, id] : [id];
}

/** A column, and the one value that the rows of a list have there. */
export interface OneValue {
  column: Fragment;
  value: string | Fragment;
}

interface TimeColumns {
  time: Fragment;
  id: Fragment;
  /**
   * For a column that has an index with time and id behind it. The first page is ordered by it too,
   * so that it is read from this index: of a rare value, there are seldom more. By an equation,
   * Postgres may read the newest rows of the whole table until it has found enough.
   */
  of?: OneValue | undefined;
}

/** Orders a list by a time and an id. */
export function orderByTime(
  tx: CallerSql,
  columns: TimeColumns,
  { after, sort = "newest" }: Pick<TimePageRequest, "after" | "sort">,
): PageOrder {
  const { time, id, of } = columns;
  if (of !== undefined) {
    const { column, value } = of;
    const order = orderByTime(tx, { time, id }, { after, sort });
    if (after !== undefined) {
      return { ...order, start: tx`and ${column} = ${value} ${order.start}` };
    }
    return {
      start: tx`and ${column} >= ${value} and ${column} <= ${value}`,
      by: sort === "newest" ? tx`${column} desc, ${order.by}` : tx`${column}, ${order.by}`,
    };
  }
  if (sort === "newest") {
    return { start: startAfter(tx, columns, after), by: tx`${time} desc, ${id} desc` };
  }
  const by: Fragment = tx`${time}, ${id}`;
  if (after === undefined) return { start: tx``, by };
  const [lastTime = "", lastId = ""] = after;
  return {
    start: tx`
      and (${time}, ${id}) > (${lastTime}::text::timestamptz, ${lastId}::uuid)
      -- For the planner, which leaves out no partition because of a comparison of rows.
      and ${time} >= ${lastTime}::text::timestamptz
    `,
    by,
  };
}

/** Orders a list by id, which is by time, or by name. */
export function orderByName(
  tx: CallerSql,
  { id, name }: { id: Fragment; name: Fragment },
  { after, sort = "newest" }: Pick<NamePageRequest, "after" | "sort">,
): PageOrder {
  if (sort === "newest") {
    return { start: tx`and ${id} < ${after?.[0] ?? lastUuid}`, by: tx`${id} desc` };
  }
  if (sort === "oldest") {
    return { start: tx`and ${id} > ${after?.[0] ?? firstUuid}`, by: tx`${id}` };
  }
  // The operators of the index, which compares characters by their number.
  const by: Fragment = tx`lower(${name}) using ~<~, ${id}`;
  if (after === undefined) return { start: tx``, by };
  const [lastName = "", lastId = ""] = after;
  return {
    start: tx`
      and lower(${name}) ~>=~ lower(${lastName}::text)
      and (lower(${name}) ~>~ lower(${lastName}::text) or ${id} > ${lastId}::uuid)
    `,
    by,
  };
}
