import type { QuotaReason } from "../../../_shared/rate_limit/quota_error.ts";
import type { Bucket } from "../../../_shared/rate_limit/rate_limits.ts";
import type { ThrottledCaller } from "../../../_shared/rate_limit/throttle_log.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { type IntervalRange, listIntervals, selectBounds } from "../../kernel/intervals.ts";
import type { PageRequest } from "../../kernel/page_queries.ts";

export interface UsageRange extends IntervalRange {
  workspaceId: string;
}

export interface UsageFigures {
  events: number;
  customers: number;
  bytes: number;
  deliveries: number;
  failures: number;
  throttled: number;
  busiest_minute: number;
}

/** Figures of the interval that starts at `at`. */
export interface UsageInterval extends UsageFigures {
  at: string;
}

/** Lists figures by interval, oldest first, including empty intervals. */
export async function listUsage(tx: CallerSql, range: UsageRange): Promise<UsageInterval[]> {
  const { workspaceId, interval } = range;
  return await tx<UsageInterval[]>`
    with bounds as (${selectBounds(tx, range)}),
    figures as (
      select
        s.hour, s.events, s.customers, s.bytes, 0 as deliveries, 0 as failures, 0 as throttled,
        s.busiest_minute
      from public.usage_stats as s, bounds as b
      where s.workspace_id = ${workspaceId} and s.hour >= b.since and s.hour < b.until
      union all
      -- Deltas of the last few seconds, which are not in the totals yet.
      select
        m.minute, m.events, m.customers, m.bytes, 0, 0, 0,
        m.events + coalesce(s.last_minute_events, 0)
      from (
        select
          date_trunc('minute', u.at, 'UTC') as minute, sum(u.events) as events,
          sum(u.customers) as customers, sum(u.bytes) as bytes
        from private.usage_deltas as u, bounds as b
        where u.workspace_id = ${workspaceId} and u.at >= b.since and u.at < b.until
        group by 1
      ) as m
      left join public.usage_stats as s
        on s.workspace_id = ${workspaceId} and s.hour = date_trunc('hour', m.minute, 'UTC')
        and s.last_minute = m.minute
      union all
      select d.hour, 0, 0, 0, sum(d.ok + d.failed), sum(d.failed), 0, 0
      from public.delivery_stats as d, bounds as b
      where d.workspace_id = ${workspaceId} and d.hour >= b.since and d.hour < b.until
      -- A row for each destination: added up first, so that few times are truncated.
      group by d.hour
      union all
      select h.hour, 0, 0, 0, 0, 0, sum(h.requests), 0
      from public.throttle_stats as h, bounds as b
      where h.workspace_id = ${workspaceId} and h.hour >= b.since and h.hour < b.until
      group by h.hour
    ),
    totals as (
      select
        date_trunc(${interval}, f.hour, 'UTC') as at, sum(f.events) as events,
        sum(f.customers) as customers, sum(f.bytes) as bytes,
        sum(f.deliveries) as deliveries, sum(f.failures) as failures, sum(f.throttled) as throttled,
        max(f.busiest_minute) as busiest_minute
      from figures as f
      group by 1
    )
    select
      private.rfc3339(g.at) as at, coalesce(t.events, 0)::double precision as events,
      coalesce(t.customers, 0)::double precision as customers,
      coalesce(t.bytes, 0)::double precision as bytes,
      coalesce(t.deliveries, 0)::double precision as deliveries,
      coalesce(t.failures, 0)::double precision as failures,
      coalesce(t.throttled, 0)::double precision as throttled,
      coalesce(t.busiest_minute, 0)::double precision as busiest_minute
    from bounds as b
    cross join lateral ${listIntervals(tx, range)}
    left join totals as t on t.at = g.at
    order by g.at
  `;
}

export interface NameCount {
  name: string;
  events: number;
}

/** Lists the ten most frequent event names on the UTC days of a range. */
export async function listTopNames(
  tx: CallerSql,
  { workspaceId, since, until }: UsageRange,
): Promise<NameCount[]> {
  return await tx<NameCount[]>`
    select s.name, sum(s.events)::double precision as events
    from public.event_name_stats as s
    where s.workspace_id = ${workspaceId}
      and s.day >= date_trunc('day', ${since}::text::timestamptz, 'UTC')
      and s.day < ${until}::text::timestamptz
    group by s.name
    order by sum(s.events) desc, s.name
    limit 10
  `;
}

export interface RejectedCounts {
  kept: number;
  /** Rejected entries beyond the plan's daily maximum. */
  not_kept: number;
}

/** Counts rejected entries on the UTC days of a range. */
export async function countRejected(
  tx: CallerSql,
  { workspaceId, since, until }: UsageRange,
): Promise<RejectedCounts> {
  const rows = await tx<RejectedCounts[]>`
    select
      coalesce(sum(s.kept), 0)::double precision as kept,
      coalesce(sum(s.not_kept), 0)::double precision as not_kept
    from public.rejected_entry_stats as s
    where s.workspace_id = ${workspaceId}
      and s.day >= date_trunc('day', ${since}::text::timestamptz, 'UTC')
      and s.day < ${until}::text::timestamptz
  `;
  return rows[0]!;
}

/** Requests of one caller that a quota refused. */
export interface ThrottledRequests {
  bucket: Bucket;
  reason: QuotaReason;
  caller: ThrottledCaller;
  requests: number;
  /** Start of the hour of the newest. */
  last_at: string;
}

/** Lists the 20 callers with the most refused requests in the hours of a range. */
export async function listThrottled(
  tx: CallerSql,
  { workspaceId, since, until }: UsageRange,
): Promise<ThrottledRequests[]> {
  return await tx<ThrottledRequests[]>`
    select
      s.bucket, s.reason, jsonb_build_object('kind', s.caller_kind, 'id', s.caller_id) as caller,
      sum(s.requests)::double precision as requests, private.rfc3339(max(s.hour)) as last_at
    from public.throttle_stats as s
    where s.workspace_id = ${workspaceId}
      and s.hour >= date_trunc('hour', ${since}::text::timestamptz, 'UTC')
      and s.hour < ${until}::text::timestamptz
    group by s.bucket, s.reason, s.caller_kind, s.caller_id
    order by sum(s.requests) desc, s.caller_id, s.bucket, s.reason
    limit 20
  `;
}

export interface EventName {
  name: string;
  events: number;
  first_seen_at: string;
  last_seen_at: string;
  /** Time first seen in microseconds, for the cursor. */
  position_at: string;
}

/** Lists names of tracked events, most recently discovered first. */
export async function listEventNames(
  tx: CallerSql,
  { workspaceId, limit, after }: PageRequest & { workspaceId: string },
): Promise<EventName[]> {
  const [time = "infinity", name = ""] = after ?? [];
  return await tx<EventName[]>`
    select
      n.name, n.events::double precision as events,
      private.rfc3339(n.first_seen_at) as first_seen_at,
      private.rfc3339(n.last_seen_at) as last_seen_at,
      to_char(n.first_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position_at
    from public.event_names as n
    where n.workspace_id = ${workspaceId}
      and n.first_seen_at <= ${time}::text::timestamptz
      and (n.first_seen_at < ${time}::text::timestamptz or n.name > ${name}::text)
    order by n.first_seen_at desc, n.name
    limit ${limit + 1}
  `;
}
