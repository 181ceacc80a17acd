import type postgres from "postgres";

/** The figures by hour and day that the service keeps as events arrive. */
export async function insertLargeTotals(sql: postgres.Sql, workspaceId: string): Promise<void> {
  await sql`
    insert into public.usage_stats (workspace_id, hour, events, customers)
    select e.workspace_id, date_trunc('hour', e.received_at, 'UTC'), count(*), count(*) / 25
    from public.events as e where e.workspace_id = ${workspaceId} group by 1, 2`;
  await sql`
    insert into public.throttle_stats
    select ${workspaceId}, h.hour, 'ingest', 'rate', 'api_key', k.id, 7
    from generate_series(
      date_trunc('hour', now(), 'UTC') - interval '100 days', now(), interval '1 hour'
    ) as h (hour)
    cross join (select gen_random_uuid() as id from generate_series(1, 2)) as k`;
  await sql`
    insert into public.event_names (workspace_id, name, events, first_seen_at, last_seen_at)
    select e.workspace_id, e.name, count(*), min(e.received_at), max(e.received_at)
    from public.events as e where e.workspace_id = ${workspaceId} group by 1, 2
    union all
    select ${workspaceId}, 'seldom_' || n, 1, t.at, t.at
    from generate_series(1, 900) as n
    cross join lateral (select now() - n * interval '1 day') as t (at)`;
  await sql`
    insert into public.event_name_stats (workspace_id, day, name, events)
    select e.workspace_id, date_trunc('day', e.received_at, 'UTC'), e.name, count(*)
    from public.events as e where e.workspace_id = ${workspaceId} group by 1, 2, 3`;
  await sql`
    insert into public.event_definitions (workspace_id, name, owner, properties)
    select n.workspace_id, n.name, 'Shop', '[{"property": "property_1", "type": "number"}]'
    from public.event_names as n where n.workspace_id = ${workspaceId}`;
  await sql`
    insert into public.event_samples (workspace_id, name, due_at, sampled_at, sampled)
    select n.workspace_id, n.name, 'infinity', now(), 50
    from public.event_names as n where n.workspace_id = ${workspaceId}`;
  await sql`
    insert into public.event_properties
    select n.workspace_id, n.name, 'property_' || p, 0, 50, 0, 0, 0, now(), now()
    from public.event_names as n, generate_series(1, 20) as p
    where n.workspace_id = ${workspaceId}`;
  await sql`
    insert into public.delivery_stats (workspace_id, destination_id, hour, ok, failed)
    select
      d.workspace_id, d.destination_id, date_trunc('hour', d.attempted_at, 'UTC'),
      count(*) filter (where d.ok), count(*) filter (where not d.ok)
    from public.deliveries as d where d.workspace_id = ${workspaceId} group by 1, 2, 3`;
  await sql`
    insert into public.delivery_durations (
      workspace_id, destination_id, hour, from_ms, attempts, total_ms, max_ms
    )
    select
      d.workspace_id, d.destination_id, date_trunc('hour', d.attempted_at, 'UTC'),
      s.steps[width_bucket(d.duration_ms, s.steps)], count(*), sum(d.duration_ms), max(d.duration_ms)
    from public.deliveries as d
    cross join private.duration_steps() as s (steps)
    where d.workspace_id = ${workspaceId} group by 1, 2, 3, 4`;
}
