-- Purpose: figures by the hour, and the names of events seen, kept and never counted on request.
-- Risk:    ingest appends a few narrow rows per batch, which nobody else writes or waits for. They
--          are folded into the totals every 10 s; readers add those that still wait.

create or replace function private.bytes_free_at(p_workspace_id uuid, p_limit bigint, p_now timestamptz)
returns timestamptz
language sql
stable
security invoker
set search_path = ''
as $$
  select max(h.hour) + interval '25 hours'
  from (
    select s.hour, sum(s.bytes) over (order by s.hour desc) as bytes
    from public.usage_stats as s
    where s.workspace_id = p_workspace_id and s.hour > p_now - interval '25 hours'
  ) as h
  where h.bytes >= p_limit
$$;
comment on function private.bytes_free_at(uuid, bigint, timestamptz) is
  'When a workspace that stored p_limit bytes or more in the last 24 hours is below that again; null when it is below now. Figures are hourly, so the time may be up to an hour late, never early.';

create or replace function private.count_entries(p_deltas private.usage_delta[])
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  with minutes as (
    select
      d.workspace_id, date_trunc('minute', d.at, 'UTC') as minute, sum(d.events) as events,
      sum(d.customers) as customers, sum(d.bytes) as bytes
    from unnest(p_deltas) as d
    where exists (select from public.workspaces as w where w.id = d.workspace_id)
    group by 1, 2
  ),
  continued as (
    select m.*, m.events + coalesce(k.last_minute_events, 0) as minute_events
    from minutes as m
    left join public.usage_stats as k
      on k.workspace_id = m.workspace_id and k.hour = date_trunc('hour', m.minute, 'UTC')
      and k.last_minute = m.minute
  )
  insert into public.usage_stats as s (
    workspace_id, hour, events, customers, bytes, busiest_minute, last_minute, last_minute_events
  )
  select
    c.workspace_id, date_trunc('hour', c.minute, 'UTC'), sum(c.events), sum(c.customers), sum(c.bytes),
    max(c.minute_events), max(c.minute), (array_agg(c.minute_events order by c.minute desc))[1]
  from continued as c
  group by 1, 2
  on conflict (workspace_id, hour) do update
  set
    events = s.events + excluded.events, customers = s.customers + excluded.customers,
    bytes = s.bytes + excluded.bytes,
    busiest_minute = greatest(s.busiest_minute, excluded.busiest_minute),
    last_minute = greatest(s.last_minute, excluded.last_minute),
    last_minute_events = case
      when s.last_minute > excluded.last_minute then s.last_minute_events
      else excluded.last_minute_events
    end
$$;
comment on function private.count_entries(private.usage_delta[]) is
  'Adds to the totals of the hours. Later deltas add to a minute while it is the newest of its hour.';

create or replace function private.count_names(p_deltas private.usage_delta[])
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into public.event_names as n (workspace_id, name, events, first_seen_at, last_seen_at)
  select s.workspace_id, s.name, s.events, s.first_at, s.last_at
  from (
    select
      t.*,
      k.name is not null as is_known,
      row_number() over (
        partition by t.workspace_id, k.name is null order by t.first_at, t.name
      ) + max(
        -- Once per workspace instead of per name: a faulty client may send thousands of names.
        case when t.is_first then (
          select count(*) from public.event_names as c where c.workspace_id = t.workspace_id
        ) end
      ) over (partition by t.workspace_id) as position
    from (
      select
        d.workspace_id, d.name, sum(d.events) as events, min(d.at) as first_at, max(d.at) as last_at,
        row_number() over (partition by d.workspace_id) = 1 as is_first
      from unnest(p_deltas) as d
      where d.name is not null
      group by d.workspace_id, d.name
    ) as t
    -- By key: a join may be planned as a scan of all names of the workspace for each.
    left join lateral (
      select c.name from public.event_names as c
      where c.workspace_id = t.workspace_id and c.name = t.name
      limit 1
    ) as k on true
    where exists (select from public.workspaces as w where w.id = t.workspace_id)
  ) as s
  where s.is_known or s.position <= 1000
  on conflict (workspace_id, name) do update
  set
    events = n.events + excluded.events,
    first_seen_at = least(n.first_seen_at, excluded.first_seen_at),
    last_seen_at = greatest(n.last_seen_at, excluded.last_seen_at)
$$;
comment on function private.count_names(private.usage_delta[]) is
  'Adds to the totals of known names, and adds new names while a workspace has fewer than 1,000.';

create or replace function private.fold_usage(p_limit integer default 20000)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_deltas private.usage_delta[];
begin
  -- One transaction at a time: two would wait for each other on the totals.
  if not pg_try_advisory_xact_lock(hashtextextended('signalpost.usage', 0)) then
    return 0;
  end if;
  with taken as (
    delete from private.usage_deltas as d
    using (
      select u.workspace_id, u.id
      from private.usage_deltas as u
      order by u.workspace_id, u.id
      limit p_limit
      for update skip locked
    ) as t
    where d.workspace_id = t.workspace_id and d.id = t.id
    -- The fields of the type, in its order.
    returning d.workspace_id, d.at, d.name, d.events, d.customers, d.bytes
  )
  select array_agg(row(t.*)::private.usage_delta) into v_deltas from taken as t;

  perform private.count_entries(v_deltas);
  perform private.count_names(v_deltas);
  perform private.note_new_events(v_deltas);
  insert into public.event_name_stats as s (workspace_id, day, name, events)
  select d.workspace_id, date_trunc('day', d.at, 'UTC'), d.name, sum(d.events)
  from unnest(v_deltas) as d
  join public.event_names as n on n.workspace_id = d.workspace_id and n.name = d.name
  group by 1, 2, 3
  on conflict (workspace_id, day, name) do update set events = s.events + excluded.events;
  return coalesce(cardinality(v_deltas), 0);
end
$$;
comment on function private.fold_usage(integer) is
  'Adds up to p_limit deltas to the totals and returns the number added. Runs every 10 seconds.';

create or replace function private.delete_old_usage(
  p_limit integer default 10000,
  p_now timestamptz default clock_timestamp()
)
returns integer
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  with old_hours as materialized (
    select o.workspace_id, o.hour
    from public.workspaces as w
    cross join lateral (
      select s.workspace_id, s.hour
      from public.usage_stats as s
      where s.workspace_id = w.id and s.hour < private.totals_start(p_now)
      limit p_limit
      for update skip locked
    ) as o
    limit p_limit
  ),
  old_days as materialized (
    select o.workspace_id, o.day, o.name
    from public.workspaces as w
    cross join lateral (
      select s.workspace_id, s.day, s.name
      from public.event_name_stats as s
      where s.workspace_id = w.id and s.day < private.totals_start(p_now)
      limit p_limit
      for update skip locked
    ) as o
    limit p_limit
  ),
  old_rejections as materialized (
    select o.workspace_id, o.day
    from public.workspaces as w
    cross join lateral (
      select s.workspace_id, s.day
      from public.rejected_entry_stats as s
      where s.workspace_id = w.id and s.day < private.totals_start(p_now)
      limit p_limit
      for update skip locked
    ) as o
    limit p_limit
  ),
  rejections as (
    delete from public.rejected_entry_stats as s
    using old_rejections as o
    where s.workspace_id = o.workspace_id and s.day = o.day
    returning 1
  ),
  hours as (
    delete from public.usage_stats as s
    using old_hours as o
    where s.workspace_id = o.workspace_id and s.hour = o.hour
    returning 1
  ),
  days as (
    delete from public.event_name_stats as s
    using old_days as o
    where s.workspace_id = o.workspace_id and s.day = o.day and s.name = o.name
    returning 1
  )
  select (
    (select count(*) from hours) + (select count(*) from days) + (select count(*) from rejections)
  )::integer
$$;
comment on function private.delete_old_usage(integer, timestamptz) is
  'Deletes up to p_limit expired figures of each table and returns the number deleted. Runs every hour.';
