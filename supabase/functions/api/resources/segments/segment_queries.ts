import type { CallerSql } from "../../kernel/caller.ts";
import type { Condition } from "../../contract/conditions/types.ts";
import { isUuid } from "../../contract/resource_names.ts";
import { type NamePageRequest, orderByName } from "../../kernel/sorting.ts";
import type { Use } from "../../kernel/uses.ts";

/** A segment as the api returns it. */
export interface Segment {
  id: string;
  key: string | null;
  name: string;
  description: string | null;
  kind: "live" | "static";
  condition: Condition | null;
  state: "computing" | "ready";
  progress: number;
  members: number;
  /** Members at the end of each of the last 30 days, the newest last. */
  members_by_day: number[];
  used_by: Use[];
  created_at: string;
  updated_at: string;
}

export interface SegmentKey {
  workspaceId: string;
  segmentId: string;
}

/** Fields that callers set; an omitted field keeps its value, null clears it. */
export interface SegmentFields {
  name?: string | undefined;
  key?: string | null | undefined;
  description?: string | null | undefined;
  kind?: Segment["kind"] | undefined;
  condition?: Condition | undefined;
}

export interface SegmentFilter extends NamePageRequest {
  workspaceId: string;
  /** Beginning of the name, in any case. */
  q?: string | undefined;
  kind?: Segment["kind"] | undefined;
}

/** Lists segments, newest first. */
export async function listSegments(
  tx: CallerSql,
  { workspaceId, q, kind, limit, after, sort }: SegmentFilter,
): Promise<Segment[]> {
  const page = { after, sort };
  const { start, by } = orderByName(tx, { id: tx`s.id`, name: tx`s.name` }, page);
  const { by: shown } = orderByName(tx, { id: tx`f.id`, name: tx`f.name` }, page);
  return await tx<Segment[]>`
    with found as materialized (
      select s.*
      from public.segments as s
      where s.workspace_id = ${workspaceId} ${start}
        ${q === undefined ? tx`` : tx`and starts_with(lower(s.name), lower(${q}))`}
        ${kind === undefined ? tx`` : tx`and s.kind = ${kind}`}
      order by ${by}
      limit ${limit + 1}
    )
    ${selectSegments(tx, workspaceId)}
    order by ${shown}
  `;
}

/** Returns one segment, or undefined if the caller cannot see it. */
export async function findSegment(
  tx: CallerSql,
  { workspaceId, segmentId }: SegmentKey,
): Promise<Segment | undefined> {
  const rows = await tx<Segment[]>`
    with found as materialized (
      select s.*
      from public.segments as s
      where s.workspace_id = ${workspaceId} and s.id = ${segmentId}
    )
    ${selectSegments(tx, workspaceId)}
  `;
  return rows[0];
}

/** Returns the id of the segment with this id or key, or undefined if the caller cannot see it. */
export async function findSegmentId(
  tx: CallerSql,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<string | undefined> {
  const rows = await tx<{ id: string }[]>`
    select s.id
    from public.segments as s
    where s.workspace_id = ${workspaceId}
      and ${isUuid(name) ? tx`s.id = ${name}` : tx`s.key = ${name}`}
  `;
  return rows[0]?.id;
}

function selectSegments(tx: CallerSql, workspaceId: string) {
  return tx`
    select
      f.id, f.key, f.name, f.description, f.kind, f.condition, f.state,
      f.progress::double precision as progress, f.members::double precision as members,
      t.members as members_by_day, coalesce(u.used_by, '[]') as used_by,
      private.rfc3339(f.created_at) as created_at, private.rfc3339(f.updated_at) as updated_at
    from found as f
    left join private.list_uses(${workspaceId}, 'segment', array(select id from found)) as u
      on u.id = f.id
    ${joinTrends(tx, workspaceId)}
  `;
}

/** Joins the members at the end of each day: those of its last hour in which somebody changed. */
function joinTrends(tx: CallerSql, workspaceId: string) {
  return tx`
    cross join lateral (
      select to_jsonb(array_agg(coalesce(h.members, 0) order by d.at)) as members
      from generate_series(
        date_trunc('day', clock_timestamp(), 'UTC') - interval '29 days', clock_timestamp(),
        interval '24 hours'
      ) as d (at)
      left join lateral (
        select s.members
        from public.segment_stats as s
        where s.workspace_id = ${workspaceId} and s.segment_id = f.id
          and s.hour < d.at + interval '24 hours'
        order by s.hour desc
        limit 1
      ) as h on true
    ) as t
  `;
}

/** Creates a segment; returns its id. */
export async function createSegment(
  tx: CallerSql,
  { workspaceId, fields }: { workspaceId: string; fields: SegmentFields },
): Promise<string> {
  const rows = await tx<{ id: string }[]>`
    select private.create_segment(${workspaceId}, ${JSON.stringify(fields)}::text::jsonb) as id
  `;
  return rows[0]!.id;
}

/** Changes the given fields; false if the segment does not exist. */
export async function updateSegment(
  tx: CallerSql,
  { workspaceId, segmentId, fields }: SegmentKey & { fields: SegmentFields },
): Promise<boolean> {
  const rows = await tx<{ is_found: boolean }[]>`
    select private.update_segment(
      ${workspaceId}, ${segmentId}, ${JSON.stringify(fields)}::text::jsonb
    ) as is_found
  `;
  return rows[0]?.is_found ?? false;
}

/** Creates the segment with this key, or replaces all its fields. */
export async function putSegment(
  tx: CallerSql,
  { workspaceId, key, fields }: { workspaceId: string; key: string; fields: SegmentFields },
): Promise<{ id: string; is_created: boolean }> {
  const rows = await tx<{ id: string; is_created: boolean }[]>`
    select p.id, p.is_created
    from private.put_segment(${workspaceId}, ${key}, ${JSON.stringify(fields)}::text::jsonb) as p
  `;
  return rows[0]!;
}

/** Deletes a segment; false if it does not exist. */
export async function deleteSegment(
  tx: CallerSql,
  { workspaceId, segmentId }: SegmentKey,
): Promise<boolean> {
  const rows = await tx<{ is_deleted: boolean }[]>`
    select private.delete_segment(${workspaceId}, ${segmentId}) as is_deleted
  `;
  return rows[0]?.is_deleted ?? false;
}
