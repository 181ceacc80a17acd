import type { CallerSql } from "../../_shared/access/caller.ts";

/** Where a page of a list begins: the place of the last row of the page before, if any. */
export interface PageRequest {
  limit: number;
  after: readonly string[] | undefined;
}

/** The greatest UUID: what comes before every id of a list that begins with the newest. */
export const lastUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Part of a statement. */
type Fragment = ReturnType<CallerSql>;

/**
 * Where a page begins of a list that is sorted by a time and an id, both descending. There is no
 * such condition on the first page: an index would be entered by it, and not by the end of a range
 * that lies far behind.
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
