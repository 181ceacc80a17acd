import type postgres from "postgres";

/**
 * 100 segments, of which the first has every customer and each other one a twentieth, with figures
 * of 90 days and 20,000 changes. Other workspaces have ten segments.
 */
export async function insertLargeSegments(sql: postgres.Sql, workspaceId: string): Promise<void> {
  await sql`
    insert into public.segments (workspace_id, key, name, kind)
    select w.id, 'segment-' || n, 'Segment ' || n, 'static'
    from public.workspaces as w, generate_series(1, 100) as n
    where w.id = ${workspaceId} or n <= 10`;
  await sql`
    insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
    select s.workspace_id, s.id, s.version, c.id, now()
    from public.segments as s
    join public.customers as c on c.workspace_id = s.workspace_id
    where s.workspace_id = ${workspaceId}
      and (s.key = 'segment-1' or abs(hashtext(s.key || c.id::text)) % 20 = 0)`;
  await sql`
    insert into public.segment_stats (workspace_id, segment_id, hour, entered, "left", members)
    select s.workspace_id, s.id, date_trunc('hour', now(), 'UTC') - n * interval '1 hour', 3, 2, n
    from public.segments as s, generate_series(0, 90 * 24) as n
    where s.workspace_id = ${workspaceId}`;
  await sql`
    insert into public.segment_changes (
      workspace_id, at, id, segment_id, customer_id, change, cause
    )
    select s.workspace_id, t.at, private.uuid_v7(t.at), s.id, gen_random_uuid(), 'entered', 'event'
    from public.segments as s
    cross join generate_series(1, 200) as n
    cross join lateral (select now() - n * interval '3 hours') as t (at)
    where s.workspace_id = ${workspaceId}`;
}
