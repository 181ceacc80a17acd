import type { CallerSql } from "./caller.ts";

/** Start and size of a page: the position of the previous page's last row, and a limit. */
export interface PageRequest {
  limit: number;
  after: readonly string[] | undefined;
}

/** Number of rows of a filtered list. */
export interface Count {
  count: number;
  /** False for an estimate. */
  is_exact: boolean;
}

/** The greatest UUID: it sorts before every id of a list that is newest first. */
export const lastUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The smallest UUID: it sorts before every id of a list that is oldest first. */
export const firstUuid = "00000000-0000-0000-0000-000000000000";

/** A fragment of a statement. */
export type Fragment = ReturnType<CallerSql>;

/**
 * Condition that starts a page of a list sorted by a time and an id, both descending. The first
 * page has none: with it, Postgres would enter the index there instead of at the end of the
 * requested range, which may be far behind.
 */
export function startAfter(
  tx: CallerSql,
  columns: { time: Fragment; id: Fragment },
  after: PageRequest["after"],
): Fragment {
  if (after === undefined) return tx``;
  const [time = "", id = ""] = after;
  return tx`
    and (${columns.time}, ${columns.id}) < (${time}::text::timestamptz, ${id}::uuid)
    -- For the planner, which leaves out no partition because of a comparison of rows.
    and ${columns.time} <= ${time}::text::timestamptz
  `;
}
