import type { CallerSql } from "./caller.ts";
import type { DestinationKey } from "./destinations.ts";

export interface StatsRange extends DestinationKey {
  since: string;
  until: string;
  interval: "hour" | "day";
}

/** How long attempts took, in milliseconds; percentiles are estimated from a histogram. */
export interface Durations {
  mean: number;
  p50: number;
  p95: number;
  max: number;
}

export interface DestinationFigures {
  ok: number;
  failed: number;
  /** Null where no attempt has a duration. */
  duration_ms: Durations | null;
}

/** The figures of the interval that starts at `at`. */
export interface DestinationInterval extends DestinationFigures {
  at: string;
}

export interface DestinationStats {
  totals: DestinationFigures;
  /** Oldest first, those without an attempt included. */
  data: DestinationInterval[];
}

/** How attempts at a destination went and how long they took, over time. */
export async function readDestinationStats(
  tx: CallerSql,
  range: StatsRange,
): Promise<DestinationStats> {
  const { since, until, interval } = range;
  const rows = await tx<DestinationInterval[]>`
    with bounds as (
      select
        date_trunc(${interval}, ${since}::text::timestamptz, 'UTC') as since,
        ${until}::text::timestamptz as until
    ),
    outcomes as (${selectOutcomes(tx, range)}),
    durations as (${selectDurations(tx, range)})
    select
      null as at, coalesce(o.ok, 0)::double precision as ok,
      coalesce(o.failed, 0)::double precision as failed, d.duration_ms
    from outcomes as o
    left join durations as d on d.at is null
    where o.at is null
    union all
    select
      private.rfc3339(g.at), coalesce(o.ok, 0), coalesce(o.failed, 0), d.duration_ms
    from bounds as b
    cross join lateral generate_series(
      b.since, b.until - interval '1 microsecond', ('1 ' || ${interval})::interval
    ) as g (at)
    left join outcomes as o on o.at = g.at
    left join durations as d on d.at = g.at
    order by at nulls first
  `;
  const { ok, failed, duration_ms } = rows[0]!;
  return { totals: { ok, failed, duration_ms }, data: rows.slice(1) };
}

/** A row an interval with attempts, and one of all of them, whose `at` is null. */
function selectOutcomes(tx: CallerSql, { workspaceId, destinationId, interval }: StatsRange) {
  return tx`
    select i.at, sum(s.ok) as ok, sum(s.failed) as failed
    from bounds as b
    join public.delivery_stats as s on s.hour >= b.since and s.hour < b.until
    cross join lateral (select date_trunc(${interval}, s.hour, 'UTC')) as i (at)
    where s.workspace_id = ${workspaceId} and s.destination_id = ${destinationId}
    group by rollup (i.at)
  `;
}

/** As `selectOutcomes`, where an attempt has a duration. */
function selectDurations(tx: CallerSql, { workspaceId, destinationId, interval }: StatsRange) {
  return tx`
    select
      r.at,
      jsonb_build_object(
        'mean', round((sum(r.total_ms) / sum(r.attempts))::numeric),
        'p50', ${estimatePercentile(tx, 50)},
        'p95', ${estimatePercentile(tx, 95)},
        'max', max(r.max_ms)
      ) as duration_ms
    from (
      select
        h.*,
        sum(h.attempts) over (partition by h.at) as measured,
        sum(h.attempts) over (partition by h.at order by h.from_ms) - h.attempts as before
      from (
        select
          -- Whole numbers that a double holds exactly, and computes with in no time.
          i.at, d.from_ms, sum(d.attempts)::double precision as attempts,
          sum(d.total_ms)::double precision as total_ms, max(d.max_ms) as max_ms
        from bounds as b
        join public.delivery_durations as d on d.hour >= b.since and d.hour < b.until
        cross join lateral (select date_trunc(${interval}, d.hour, 'UTC')) as i (at)
        where d.workspace_id = ${workspaceId} and d.destination_id = ${destinationId}
        group by grouping sets ((i.at, d.from_ms), (d.from_ms))
      ) as h
    ) as r
    group by r.at
  `;
}

/** Between the ends of the bucket that the attempt of this rank is in, by its place in there. */
function estimatePercentile(tx: CallerSql, percent: number) {
  const rank = tx`ceil(r.measured * ${percent}::integer / 100)`;
  return tx`
    round(
      min(r.from_ms + (r.max_ms - r.from_ms) * (${rank} - r.before) / r.attempts)
      filter (where ${rank} > r.before and ${rank} <= r.before + r.attempts)
    )
  `;
}
