-- Purpose: how many requests each quota refused, by the hour and by caller.
-- Risk:    each instance of a function adds to the rows of an hour, at most once per second.

create or replace function private.add_throttled(p_requests jsonb)
returns void
language sql
volatile
-- Definer: callers may add to the counts, and change nothing else.
security definer
set search_path = ''
set jit = 'off'
as $$
  insert into public.throttle_stats as s (
    workspace_id, hour, bucket, reason, caller_kind, caller_id, requests
  )
  select
    r.workspace_id, date_trunc('hour', r.at, 'UTC'), r.bucket, r.reason, r.caller_kind, r.caller_id,
    sum(r.requests)
  from jsonb_to_recordset(p_requests) as r (
    workspace_id uuid, at timestamptz, bucket text, reason text, caller_kind text, caller_id uuid,
    requests bigint
  )
  where exists (select from public.workspaces as w where w.id = r.workspace_id)
  group by 1, 2, 3, 4, 5, 6
  -- In one order: instances that add to the same rows must not wait for each other in a circle.
  order by 1, 2, 3, 4, 5, 6
  on conflict (workspace_id, hour, bucket, reason, caller_kind, caller_id) do update
  set requests = s.requests + excluded.requests
$$;
comment on function private.add_throttled(jsonb) is
  'Adds requests that quotas refused, as an array of rows with a time, to the counts of their hours. Rows of unknown workspaces are skipped.';
grant execute on function private.add_throttled(jsonb) to signalpost_ingest, signalpost_key;

create or replace function private.delete_old_throttles(
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
    select o.ctid as row
    from public.workspaces as w
    cross join lateral (
      select s.ctid
      from public.throttle_stats as s
      where s.workspace_id = w.id and s.hour < private.totals_start(p_now)
      limit p_limit
      for update skip locked
    ) as o
    limit p_limit
  ),
  deleted as (
    delete from public.throttle_stats as s
    using old as o
    where s.ctid = o.row
    returning 1
  )
  select count(*)::integer from deleted
$$;
comment on function private.delete_old_throttles(integer, timestamptz) is
  'Deletes up to p_limit expired counts of refused requests and returns the number deleted. Runs every hour.';
