-- Purpose: when there is work for the function automation, and how it is woken.

create or replace function private.announce_runs(p_workspace_id uuid, p_due jsonb, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_first timestamptz;
begin
  with arrived as (
    insert into private.run_arrivals (workspace_id, journey_id, due_at)
    select p_workspace_id, (d ->> 0)::uuid, min((d ->> 1)::timestamptz)
    from jsonb_array_elements(coalesce(p_due, '[]')) as d
    where (d ->> 1)::timestamptz < 'infinity'
    group by 2
    returning due_at
  )
  select min(a.due_at) into v_first from arrived as a;
  if v_first <= p_now then
    perform private.wake_worker('automation');
  end if;
end
$$;
comment on function private.announce_runs(uuid, jsonb, timestamptz) is
  'Notes when runs of journeys are due, a list of [journey, time], and wakes a worker for those that are.';

create or replace function private.next_run_at(p_now timestamptz default clock_timestamp())
returns timestamptz
language sql
stable
-- Definer: a worker asks, and may not read the tables.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
  select least(
    (select min(l.due_at) from private.journey_lanes as l where l.is_open),
    (select min(a.due_at) from (select n.due_at from private.run_arrivals as n limit 1000) as a),
    (select min(r.lease_until) from public.journey_runs as r where r.claim is not null),
    (select min(j.due_at) from private.journey_jobs as j),
    (select min(coalesce(h.lease_until, h.created_at)) from public.rehearsals as h where h.finished_at is null),
    (select min(d.due_at) from private.journey_dates as d where d.due_at < 'infinity')
  )
$$;
comment on function private.next_run_at(timestamptz) is
  'The time of the next work for a worker, as currently known; null or infinity for never.';
grant execute on function private.next_run_at(timestamptz) to signalpost_automation;

create or replace function private.wake_automation_if_due(
  p_now timestamptz default clock_timestamp(),
  p_is_ending boolean default false
)
returns boolean
language plpgsql
volatile
-- Definer: a run that has to end calls the next one.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_next timestamptz := private.next_run_at(p_now);
begin
  return private.pass_on_work(
    'automation', coalesce(v_next <= p_now, false), coalesce(v_next < p_now - interval '2 seconds', false),
    p_is_ending
  );
end
$$;
comment on function private.wake_automation_if_due(timestamptz, boolean) is
  'Wakes automation if there is work for it now. Returns true if there is. p_is_ending: the caller is a run that stops looking for work.';
grant execute on function private.wake_automation_if_due(timestamptz, boolean) to signalpost_automation;

create or replace function private.watch_runs(p_for interval)
returns void
language sql
volatile
-- Definer: a run of automation reports this, and may not write the table.
security definer
set search_path = ''
set jit = 'off'
as $$
  select private.watch_work('automation', p_for)
$$;
comment on function private.watch_runs(interval) is
  'Notes that a run of automation looks for work for this long: see private.watch_work.';
grant execute on function private.watch_runs(interval) to signalpost_automation;

create or replace view ops.journey_backlog
with (security_invoker = true) as
select
  l.workspace_id,
  l.journey_id,
  l.is_open,
  (
    select count(*) from public.journey_runs as r
    where r.workspace_id = l.workspace_id and r.journey_id = l.journey_id and r.state = 'active'
      and r.claim is null and r.due_at <= now()
  ) as due,
  (
    select min(r.due_at) from public.journey_runs as r
    where r.workspace_id = l.workspace_id and r.journey_id = l.journey_id and r.state = 'active'
      and r.claim is null and r.due_at <= now()
  ) as due_since,
  (
    select count(*) from public.journey_runs as r
    where r.workspace_id = l.workspace_id and r.journey_id = l.journey_id and r.claim is not null
  ) as claimed,
  (
    select count(*) from private.journey_jobs as j
    where j.workspace_id = l.workspace_id and j.journey_id = l.journey_id
  ) as jobs,
  (
    select string_agg(format('%s (%s times): %s', j.kind, j.failures, j.error), '; ' order by j.id)
    from private.journey_jobs as j
    where j.workspace_id = l.workspace_id and j.journey_id = l.journey_id and j.error is not null
  ) as errors
from private.journey_lanes as l;
comment on view ops.journey_backlog is
  'For each journey: the runs that are due and not moved yet, since when, those that a worker has claimed, unfinished jobs, and why some of them fail.';
