-- Purpose: ends claims whose worker is gone or in another cell.
-- Locks:   runs; those that are locked are left for later.

create or replace function private.expire_run_claims(p_now timestamptz default clock_timestamp())
returns integer
language plpgsql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_count integer;
begin
  with lost as materialized (
    select r.workspace_id, r.id
    from public.journey_runs as r
    where r.claim is not null and r.lease_until <= p_now
    limit 1000
    for update skip locked
  ),
  freed as (
    update public.journey_runs as r
    set claim = null, lease_until = null, due_at = least(r.due_at, p_now)
    from lost as l
    where r.workspace_id = l.workspace_id and r.id = l.id
    returning r.workspace_id, r.journey_id, r.due_at
  ),
  arrived as (
    insert into private.run_arrivals (workspace_id, journey_id, due_at)
    select f.workspace_id, f.journey_id, min(f.due_at) from freed as f group by 1, 2
  )
  select count(*) into v_count from freed;
  return v_count;
end
$$;
comment on function private.expire_run_claims(timestamptz) is
  'Makes runs due again whose worker is gone. Nothing that the worker was about to do has happened. Returns the number of runs.';
grant execute on function private.expire_run_claims(timestamptz) to signalpost_automation;

create or replace function private.free_runs(p_workspace_id uuid)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  with freed as (
    update public.journey_runs as r
    set claim = null, lease_until = null
    where r.workspace_id = p_workspace_id and r.claim is not null
    returning r.journey_id, r.due_at
  )
  insert into private.run_arrivals (workspace_id, journey_id, due_at)
  select p_workspace_id, f.journey_id, min(f.due_at) from freed as f group by f.journey_id
$$;
comment on function private.free_runs(uuid) is
  'Ends all claims of runs of a workspace that arrives from another cell, because their workers no longer record anything.';
