import postgres from "postgres";
import type { StackInfo } from "../../local/stack.ts";

/** Adds totals of the last 30 days to the demo workspace, for its charts. */
export async function fillDashboardHistory({ db_url, workspace_id }: StackInfo): Promise<void> {
  const sql = postgres(db_url, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    await sql.unsafe("set session_replication_role = replica");
    await sql`
      create temporary table hours as
      select
        date_trunc('hour', now()) - make_interval(hours => h) as hour,
        -- Busy by day, quiet by night, the same on every run.
        (900 + 700 * sin((extract(hour from now())::integer - h - 7) * pi() / 12)
          + 97 * ((h * 7919) % 11) / 10)::integer as events,
        (h * 104729) % 37 as trouble
      from generate_series(1, 719) as h`;
    await sql`
      insert into public.usage_stats (workspace_id, hour, events, customers)
      select ${workspace_id}, h.hour, h.events, h.events / 23 from hours as h
      on conflict do nothing`;
    await sql`
      insert into public.event_name_stats as s (workspace_id, day, name, events)
      select ${workspace_id}, date_trunc('day', h.hour, 'UTC'), n.name, sum(h.events / n.share)
      from hours as h
      cross join (values
        ('product_viewed', 2), ('checkout_started', 6), ('order_created', 11),
        ('order_completed', 14), ('page_viewed', 19)
      ) as n (name, share)
      group by 2, 3
      on conflict (workspace_id, day, name) do update set events = excluded.events`;
    await sql`
      update public.event_names as n
      set events = s.events, first_seen_at = s.first_day
      from (
        select t.name, sum(t.events) as events, min(t.day) as first_day
        from public.event_name_stats as t
        where t.workspace_id = ${workspace_id}
        group by t.name
      ) as s
      where n.workspace_id = ${workspace_id} and n.name = s.name`;
    await sql`
      insert into public.delivery_stats (workspace_id, destination_id, hour, ok, failed)
      select
        ${workspace_id}, d.id, h.hour, h.events / 3,
        case when h.trouble = 5 then h.events / 9 else h.trouble % 4 end
      from hours as h
      cross join (
        select d.id from public.destinations as d
        where d.workspace_id = ${workspace_id} and d.filter is null
        order by d.id desc limit 1
      ) as d
      on conflict do nothing`;
    await sql`
      insert into public.delivery_durations
      select s.workspace_id, s.destination_id, s.hour, b.from_ms, n.attempts, n.attempts * b.ms, b.max_ms
      from public.delivery_stats as s
      cross join (values
        (30, 41, 49, 61), (75, 88, 97, 30), (150, 171, 188, 5), (500, 610, 730, 4)
      ) as b (from_ms, ms, max_ms, percent)
      -- Failed attempts take long.
      cross join lateral (
        select s.ok * b.percent / 100 + case b.from_ms when 500 then s.failed else 0 end
      ) as n (attempts)
      where s.workspace_id = ${workspace_id} and n.attempts > 0
      on conflict do nothing`;
  } finally {
    await sql.end();
  }
}
