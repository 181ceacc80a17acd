import type { CallerSql } from "../../kernel/caller.ts";
import { type IntervalRange, listIntervals, selectBounds } from "../../kernel/intervals.ts";

export interface SenderStatsRange extends IntervalRange {
  workspaceId: string;
  senderId: string;
}

/** Outcomes of the interval that starts at `at`. */
export interface SenderInterval {
  at: string;
  sent: number;
  failed: number;
  skipped: number;
  unknown: number;
  retried: number;
  bounced: number;
  complained: number;
}

/** Returns the outcomes of a sender over time, oldest first, including intervals without any. */
export async function readSenderStats(
  tx: CallerSql,
  range: SenderStatsRange,
): Promise<SenderInterval[]> {
  const { workspaceId, senderId, interval } = range;
  const count = (name: string) =>
    tx`coalesce(sum(s.${tx(name)}), 0)::double precision as ${tx(name)}`;
  return await tx<SenderInterval[]>`
    with bounds as (${selectBounds(tx, range)}),
    kept as (
      select s.*, date_trunc(${interval}, s.hour, 'UTC') as at
      from bounds as b
      join public.sender_stats as s on s.hour >= b.since and s.hour < b.until
      where s.workspace_id = ${workspaceId} and s.sender_id = ${senderId}
    )
    select
      private.rfc3339(g.at) as at, ${count("sent")}, ${count("failed")}, ${count("skipped")},
      ${count("unknown")}, ${count("retried")}, ${count("bounced")}, ${count("complained")}
    from bounds as b
    cross join lateral ${listIntervals(tx, range)}
    left join kept as s on s.at = g.at
    group by g.at
    order by g.at
  `;
}
