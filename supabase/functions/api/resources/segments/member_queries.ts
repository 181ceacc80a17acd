import type { CallerSql } from "../../kernel/caller.ts";
import { type PageRequest, startAfter } from "../../kernel/page_queries.ts";
import type { Customer } from "../customers/customer_queries.ts";
import type { SegmentKey } from "./segment_queries.ts";

/** A member of a segment: the customer, and when they entered. */
export interface SegmentMember extends Customer {
  member_since: string;
}

/** Lists members, the newest customer first. */
export async function listMembers(
  tx: CallerSql,
  { workspaceId, segmentId, limit, after }: SegmentKey & PageRequest,
): Promise<SegmentMember[]> {
  const rows = await tx<{ document: Customer; member_since: string }[]>`
    with found as materialized (
      select m.customer_id, m.since
      from private.segment_customers(
        ${workspaceId}, ${segmentId}, ${after?.[0] ?? null}::uuid, ${limit + 1}
      ) as m
    )
    select d.document, private.rfc3339(f.since) as member_since
    from private.segment_documents(${workspaceId}, array(select customer_id from found)) as d
    join found as f on f.customer_id = d.customer_id
    order by d.customer_id desc
  `;
  return rows.map(({ document, member_since }) => ({ ...document, member_since }));
}

/** Customers that a call names. */
export interface NamedCustomers {
  customer_ids?: string[] | undefined;
  external_ids?: string[] | undefined;
  emails?: string[] | undefined;
}

/** Effect of adding to or removing from a static segment. */
export interface MemberChange {
  changed: number;
  unchanged: number;
  unknown: Required<{ [List in keyof NamedCustomers]: string[] }>;
}

export interface NamedChange extends SegmentKey {
  named: NamedCustomers;
}

/** Adds customers to a static segment. */
export async function addMembers(tx: CallerSql, change: NamedChange): Promise<MemberChange> {
  const rows = await tx<{ change: MemberChange }[]>`
    select private.add_to_segment(
      ${change.workspaceId}, ${change.segmentId}, ${JSON.stringify(change.named)}::text::jsonb
    ) as change
  `;
  return rows[0]!.change;
}

/** Removes customers from a static segment. */
export async function removeMembers(tx: CallerSql, change: NamedChange): Promise<MemberChange> {
  const rows = await tx<{ change: MemberChange }[]>`
    select private.remove_from_segment(
      ${change.workspaceId}, ${change.segmentId}, ${JSON.stringify(change.named)}::text::jsonb
    ) as change
  `;
  return rows[0]!.change;
}

/** A customer who entered or left a segment. */
export interface SegmentChange {
  id: string;
  customer_id: string;
  customer_name: string | null;
  change: "entered" | "left";
  cause: string;
  at: string;
  /** Time in microseconds, for the cursor. */
  position_at: string;
}

/** Lists who entered and left, newest first. */
export async function listChanges(
  tx: CallerSql,
  { workspaceId, segmentId, limit, after }: SegmentKey & PageRequest,
): Promise<SegmentChange[]> {
  return await tx<SegmentChange[]>`
    with found as materialized (
      select c.id, c.customer_id, c.change, c.cause, c.at
      from public.segment_changes as c
      where c.workspace_id = ${workspaceId} and c.segment_id = ${segmentId}
        ${startAfter(tx, { time: tx`c.at`, id: tx`c.id` }, after)}
      order by c.at desc, c.id desc
      limit ${limit + 1}
    )
    select
      f.id, f.customer_id, n.name as customer_name, f.change, f.cause,
      private.rfc3339(f.at) as at,
      to_char(f.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position_at
    from found as f
    left join private.customer_names(${workspaceId}, array(select customer_id from found)) as n
      on n.customer_id = f.customer_id
    order by f.at desc, f.id desc
  `;
}

export interface HistoryRange extends SegmentKey {
  since: string;
  until: string;
  interval: "hour" | "day";
}

/** Figures of the interval that starts at `at`. */
export interface HistoryInterval {
  at: string;
  entered: number;
  left: number;
  /** Members at the end of the interval. */
  members: number;
}

/** Lists figures by interval, oldest first, including intervals without a change. */
export async function listHistory(tx: CallerSql, range: HistoryRange): Promise<HistoryInterval[]> {
  const { workspaceId, segmentId, since, until, interval } = range;
  return await tx<HistoryInterval[]>`
    with bounds as (
      select
        date_trunc(${interval}, ${since}::text::timestamptz, 'UTC') as since,
        ${until}::text::timestamptz as until,
        case ${interval} when 'day' then interval '24 hours' else interval '1 hour' end as step
    ),
    figures as (
      select
        date_trunc(${interval}, s.hour, 'UTC') as at, sum(s.entered) as entered,
        sum(s."left") as gone, (array_agg(s.members order by s.hour desc))[1] as members
      from public.segment_stats as s, bounds as b
      where s.workspace_id = ${workspaceId} and s.segment_id = ${segmentId}
        and s.hour >= b.since and s.hour < b.until
      group by 1
    ),
    before as (
      select s.members
      from public.segment_stats as s
      where s.workspace_id = ${workspaceId} and s.segment_id = ${segmentId}
        and s.hour < date_trunc(${interval}, ${since}::text::timestamptz, 'UTC')
      order by s.hour desc
      limit 1
    ),
    filled as (
      -- An interval without a change has the members of the one before it.
      select
        g.at, f.entered, f.gone, f.members,
        count(f.members) over (order by g.at) as run
      from bounds as b
      cross join lateral generate_series(
        b.since, b.until - interval '1 microsecond', b.step
      ) as g (at)
      left join figures as f on f.at = g.at
    )
    select
      private.rfc3339(i.at) as at, coalesce(i.entered, 0)::double precision as entered,
      coalesce(i.gone, 0)::double precision as "left",
      coalesce(
        max(i.members) over (partition by i.run), (select b.members from before as b), 0
      )::double precision as members
    from filled as i
    order by i.at
  `;
}
