-- Purpose: the delivery log, one row per attempt, and its totals by the hour.

create or replace function private.attempts_start(p_message_created_at timestamptz)
returns timestamptz
language sql
stable
security invoker
set search_path = ''
as $$
  -- Messages have the time of the database, attempts that of a dispatcher, which may be behind.
  select p_message_created_at - interval '1 day'
$$;
comment on function private.attempts_start(timestamptz) is
  'The earliest time of an attempt of a message created at p_created_at: earlier attempts need not be read.';
grant execute on function private.attempts_start(timestamptz) to signalpost_user, signalpost_key;

create or replace function private.duration_steps()
returns integer[]
language sql
immutable
security invoker
set search_path = ''
as $$
  -- Each bucket except the first ends at no more than twice its start: a percentile may be off by
  -- that factor. No attempt takes much longer than 15 s.
  select '{0, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 7500, 10000, 15000}'::integer[]
$$;
comment on function private.duration_steps() is
  'Lower bounds of the buckets of public.delivery_durations, in milliseconds.';

create or replace function private.log_attempts(p_attempts public.deliveries[])
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_steps constant integer[] := private.duration_steps();
  v_ids uuid[];
begin
  with logged as (
    insert into public.deliveries
    select a.* from unnest(p_attempts) as a
    on conflict (workspace_id, attempted_at, id) do nothing
    returning
      workspace_id, id, destination_id, date_trunc('hour', attempted_at, 'UTC') as hour, ok,
      duration_ms, trigger
  ),
  -- The lock on the lane keeps the order of locks the same for all callers.
  counted as (
    insert into public.delivery_stats as s (workspace_id, destination_id, hour, ok, failed)
    select
      l.workspace_id, l.destination_id, l.hour,
      count(*) filter (where l.ok), count(*) filter (where not l.ok)
    from logged as l
    -- As in the health figures: a ping does not show how the destination handles events.
    where l.trigger <> 'test'
    group by 1, 2, 3
    order by 1, 2, 3
    on conflict (workspace_id, destination_id, hour) do update
    set ok = s.ok + excluded.ok, failed = s.failed + excluded.failed
  ),
  timed as (
    insert into public.delivery_durations as d (
      workspace_id, destination_id, hour, from_ms, attempts, total_ms, max_ms
    )
    select
      l.workspace_id, l.destination_id, l.hour, v_steps[width_bucket(l.duration_ms, v_steps)],
      count(*), sum(l.duration_ms), max(l.duration_ms)
    from logged as l
    where l.duration_ms is not null and l.trigger <> 'test'
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    on conflict (workspace_id, destination_id, hour, from_ms) do update
    set
      attempts = d.attempts + excluded.attempts,
      total_ms = d.total_ms + excluded.total_ms,
      max_ms = greatest(d.max_ms, excluded.max_ms)
  )
  select coalesce(array_agg(l.id), '{}') into v_ids from logged as l;
  return v_ids;
end
$$;
comment on function private.log_attempts(public.deliveries[]) is
  'Logs attempts and adds them to the totals, except pings. Counts each attempt once, even if it is reported again. Returns the ids that were new. The caller has locked the lanes.';

create or replace function private.totals_start(p_now timestamptz)
returns timestamptz
language sql
stable
security invoker
set search_path = ''
as $$
  -- The first of the 400 days is shown as a whole day.
  select date_trunc('day', p_now - interval '400 days', 'UTC')
$$;
comment on function private.totals_start(timestamptz) is
  'The time from which totals by hour and day are kept.';

create or replace function private.delete_old_delivery_totals(
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
  with old as materialized (
    select o.workspace_id, o.destination_id, o.hour
    from public.workspaces as w
    cross join lateral (
      select s.workspace_id, s.destination_id, s.hour
      from public.delivery_stats as s
      where s.workspace_id = w.id and s.hour < private.totals_start(p_now)
      limit p_limit
      for update skip locked
    ) as o
    limit p_limit
  ),
  durations as (
    delete from public.delivery_durations as d
    using old as o
    where d.workspace_id = o.workspace_id and d.destination_id = o.destination_id and d.hour = o.hour
  ),
  stats as (
    delete from public.delivery_stats as s
    using old as o
    where s.workspace_id = o.workspace_id and s.destination_id = o.destination_id and s.hour = o.hour
    returning 1
  )
  select count(*)::integer from stats
$$;
comment on function private.delete_old_delivery_totals(integer, timestamptz) is
  'Deletes up to p_limit expired hourly totals of destinations and returns the number deleted. Runs every hour.';
