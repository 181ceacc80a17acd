import {
  type Bucket,
  countAttempts,
  estimatePercentile,
  mergeBuckets,
  sortBuckets,
} from "./histogram.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { type IntervalRange, listIntervals, selectBounds } from "../../kernel/intervals.ts";
import type { DestinationKey } from "./destination_queries.ts";

export type StatsRange = DestinationKey & IntervalRange;

/** Durations of attempts in milliseconds; percentiles are estimated from a histogram. */
export interface Durations {
  mean: number;
  p50: number;
  p95: number;
  max: number;
}

export interface DestinationFigures {
  ok: number;
  failed: number;
  /** Null if no attempt has a duration. */
  duration_ms: Durations | null;
}

/** Figures of the interval that starts at `at`. */
export interface DestinationInterval extends DestinationFigures {
  at: string;
}

export interface DestinationStats {
  totals: DestinationFigures;
  /** Oldest first, including intervals without attempts. */
  data: DestinationInterval[];
}

/** A stored interval: sums, and the columns of its histogram as lists. */
interface KeptInterval {
  /** Milliseconds since the epoch. */
  at: number;
  ok: number;
  failed: number;
  total_ms: number | null;
  from_ms: string | null;
  attempts: string | null;
  max_ms: string | null;
}

/** Returns counts and durations of the attempts at a destination over time. */
export async function readDestinationStats(
  tx: CallerSql,
  range: StatsRange,
): Promise<DestinationStats> {
  // One list per interval instead of one row per bucket, because a month by the hour has 15,000
  // buckets. Percentiles are computed in TypeScript.
  const rows = await tx<KeptInterval[]>`
    with bounds as (${selectBounds(tx, range)}),
    outcomes as (${selectOutcomes(tx, range)}),
    histograms as (${selectHistograms(tx, range)})
    select
      (extract(epoch from g.at) * 1000)::double precision as at,
      coalesce(o.ok, 0)::double precision as ok, coalesce(o.failed, 0)::double precision as failed,
      h.total_ms::double precision as total_ms, array_to_string(h.from_ms, ',') as from_ms,
      array_to_string(h.attempts, ',') as attempts, array_to_string(h.max_ms, ',') as max_ms
    from bounds as b
    cross join lateral ${listIntervals(tx, range)}
    left join outcomes as o on o.at = g.at
    left join histograms as h on h.at = g.at
    order by g.at
  `;
  const histograms = rows.map(readBuckets);
  const sum = (name: "ok" | "failed" | "total_ms") => {
    return rows.reduce((total, row) => total + (row[name] ?? 0), 0);
  };
  return {
    totals: {
      ok: sum("ok"),
      failed: sum("failed"),
      duration_ms: describe(mergeBuckets(histograms), sum("total_ms")),
    },
    data: rows.map(({ at, ok, failed, total_ms }, i) => ({
      at: new Date(at).toISOString(),
      ok,
      failed,
      duration_ms: describe(histograms[i]!, total_ms ?? 0),
    })),
  };
}

function readBuckets({ from_ms, attempts, max_ms }: KeptInterval): Bucket[] {
  const read = (list: string | null): number[] => JSON.parse(`[${list ?? ""}]`);
  const [counts, longest] = [read(attempts), read(max_ms)];
  return sortBuckets(
    read(from_ms).map((fromMs, i) => {
      return { fromMs, attempts: counts[i]!, maxMs: longest[i]! };
    }),
  );
}

function describe(buckets: readonly Bucket[], totalMs: number): Durations | null {
  if (buckets.length === 0) return null;
  return {
    mean: Math.round(totalMs / countAttempts(buckets)),
    p50: estimatePercentile(buckets, 50),
    p95: estimatePercentile(buckets, 95),
    max: Math.max(...buckets.map(({ maxMs }) => maxMs)),
  };
}

type Fragment = ReturnType<CallerSql>;

/** Start of an interval. Hours keep their stored start, so that the rows come in index order. */
function beginning(tx: CallerSql, hour: Fragment, { interval }: StatsRange): Fragment {
  return interval === "hour" ? hour : tx`date_trunc('day', ${hour}, 'UTC')`;
}

/** Selects one row per interval with attempts. */
function selectOutcomes(tx: CallerSql, range: StatsRange) {
  const { workspaceId, destinationId } = range;
  const at = beginning(tx, tx`s.hour`, range);
  return tx`
    select ${at} as at, sum(s.ok) as ok, sum(s.failed) as failed
    from bounds as b
    join public.delivery_stats as s on s.hour >= b.since and s.hour < b.until
    where s.workspace_id = ${workspaceId} and s.destination_id = ${destinationId}
    group by ${at}
  `;
}

/** Like `selectOutcomes`, for attempts with a duration: each list position is one bucket. */
function selectHistograms(tx: CallerSql, range: StatsRange) {
  return tx`
    select
      k.at, sum(k.total_ms) as total_ms, array_agg(k.from_ms) as from_ms,
      array_agg(k.attempts) as attempts, array_agg(k.max_ms) as max_ms
    from (${selectBuckets(tx, range)}) as k
    group by k.at
  `;
}

/** Selects hourly rows unchanged. */
function selectBuckets(tx: CallerSql, range: StatsRange) {
  const { workspaceId, destinationId, interval } = range;
  const at = beginning(tx, tx`d.hour`, range);
  return tx`
    select ${at} as at, d.from_ms, ${
    interval === "hour"
      ? tx`d.attempts, d.total_ms, d.max_ms`
      : tx`sum(d.attempts) as attempts, sum(d.total_ms) as total_ms, max(d.max_ms) as max_ms`
  }
    from bounds as b
    join public.delivery_durations as d on d.hour >= b.since and d.hour < b.until
    where d.workspace_id = ${workspaceId} and d.destination_id = ${destinationId}
    ${interval === "hour" ? tx`` : tx`group by ${at}, d.from_ms`}
  `;
}
