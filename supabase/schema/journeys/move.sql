-- Purpose: runs move along to a new version.
-- Locks:   the row of the job, then runs by id.

create or replace function private.take_move_job(p_now timestamptz default clock_timestamp())
returns table (workspace_id uuid, id uuid, journey_id uuid, version integer, stands jsonb)
language plpgsql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
begin
  return query
  with due as materialized (
    select j.workspace_id, j.id
    from private.journey_jobs as j
    where j.due_at <= p_now and j.kind = 'move'
    order by j.due_at, j.id
    limit 1
    for update skip locked
  ),
  taken as (
    update private.journey_jobs as j
    -- Counts as a failure until the worker reports success, because the worker may crash.
    set failures = j.failures + 1, due_at = private.retry_job_at(j.failures + 1, p_now)
    from due as d
    where j.workspace_id = d.workspace_id and j.id = d.id
    returning j.workspace_id, j.id, j.journey_id, j.version
  )
  select t.workspace_id, t.id, t.journey_id, t.version, coalesce((
    select jsonb_agg(distinct jsonb_build_array(r.version, r.step))
    from public.journey_runs as r
    where r.workspace_id = t.workspace_id and r.journey_id = t.journey_id and r.state = 'active'
      and r.version < t.version
  ), '[]')
  from taken as t;
end
$$;
comment on function private.take_move_job(timestamptz) is
  'Takes a job that moves runs to a new version, with the pairs of version and step that they are at. It is due again later, unless private.move_versions succeeds.';
grant execute on function private.take_move_job(timestamptz) to signalpost_automation;

create or replace function private.retry_job_at(p_failures integer, p_now timestamptz)
returns timestamptz
language sql
immutable
security invoker
set search_path = ''
as $$
  select case
    when p_failures >= private.job_failure_limit() then 'infinity'
    else p_now + least(interval '10 seconds' * power(2, p_failures - 1), interval '1 hour')
  end
$$;
comment on function private.retry_job_at(integer, timestamptz) is
  'The time when a job of a journey that has failed so often in a row is due again: after 10 seconds, then twice as long each time, up to an hour; never after the last failure.';

create or replace function private.job_failure_limit()
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  select 15
$$;
comment on function private.job_failure_limit() is
  'The service stops moving runs to a version after this many failures in a row, which takes over six hours.';

create or replace function private.fail_move_job(p_job jsonb, p_error text)
returns void
language sql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set jit = 'off'
as $$
  update private.journey_jobs as j
  set error = left(p_error, 1000)
  where j.workspace_id = (p_job ->> 'workspace_id')::uuid and j.id = (p_job ->> 'id')::uuid
$$;
comment on function private.fail_move_job(jsonb, text) is
  'Notes why a job {workspace_id, id} from private.take_move_job failed.';
grant execute on function private.fail_move_job(jsonb, text) to signalpost_automation;

create or replace function private.journey_problem(p_workspace_id uuid, p_journey_id uuid)
returns text
language sql
stable
-- Definer: callers may not read jobs.
security definer
set search_path = ''
as $$
  select format(
    'Cannot move runs to version %s, after %s: the log of the service has the reason. %s', j.version,
    case j.failures when 1 then '1 failure' else j.failures || ' failures' end,
    case
      when j.due_at = 'infinity' then 'It does not try again: publish the journey once more'
      else format('It tries again at %s', private.rfc3339(j.due_at))
    end
  )
  from private.journey_jobs as j
  where j.workspace_id = p_workspace_id and j.journey_id = p_journey_id and j.kind = 'move'
    and j.error is not null and private.is_readable(p_workspace_id, array['journeys:read', 'journeys:write'])
  order by j.version desc
  limit 1
$$;
comment on function private.journey_problem(uuid, uuid) is
  'Says in one sentence what the service cannot do with a journey. Returns null if nothing is wrong.';
grant execute on function private.journey_problem(uuid, uuid) to signalpost_user, signalpost_key;

create or replace function private.log_transfers(
  p_workspace_id uuid,
  p_runs jsonb,
  p_outcome jsonb,
  p_now timestamptz
)
returns void
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  insert into public.run_steps (
    workspace_id, run_id, visit, at, done_at, journey_id, version, step, kind, outcome
  )
  select
    r.workspace_id, r.id, r.visit + 1, k.now, k.now, r.journey_id, r.version, r.step, p_outcome ->> 'way',
    p_outcome || jsonb_build_object('to', e.value ->> 1)
  from jsonb_array_elements(p_runs) as e
  cross join (select date_trunc('milliseconds', p_now) as now) as k
  join public.journey_runs as r
    on r.workspace_id = p_workspace_id and r.id = (e.value ->> 0)::uuid
  where e.value ->> 1 is not null
$$;
comment on function private.log_transfers(uuid, jsonb, jsonb, timestamptz) is
  'Logs that a move or a replay put runs, a list of [run, step], at a step: one row of that kind with their former version and step, and the outcome {way, version?, to}. The caller counts the visit.';

create or replace function private.count_moved(p_job private.journey_jobs, p_runs jsonb)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  with moved as (
    select r.version, r.step as old_step, m ->> 1 as new_step
    from jsonb_array_elements(p_runs) as m
    join public.journey_runs as r
      on r.workspace_id = p_job.workspace_id and r.id = (m ->> 0)::uuid and r.state = 'active'
    where m ->> 1 is not null
  )
  insert into private.journey_stat_deltas (workspace_id, journey_id, version, step, kind, count)
  select p_job.workspace_id, p_job.journey_id, c.version, c.step, c.kind, sum(c.count)
  from moved as m
  cross join lateral (
    values
      -- At the same step, it is as if they had come to it in the new version.
      (m.version, m.old_step, case when m.old_step = m.new_step then 'came' else 'left:move' end,
        case when m.old_step = m.new_step then -1 else 1 end),
      (p_job.version, m.new_step, 'came', 1)
  ) as c (version, step, kind, count)
  group by c.version, c.step, c.kind
$$;
comment on function private.count_moved(private.journey_jobs, jsonb) is
  'Adds runs [run, step] that move to another version to the figures, so that every run that came to a step is still there or has left it.';

create or replace function private.move_versions(
  p_job jsonb,
  p_steps jsonb,
  p_now timestamptz default clock_timestamp()
)
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
  v_job private.journey_jobs;
  v_runs jsonb;
begin
  select j.* into v_job
  from private.journey_jobs as j
  where j.workspace_id = (p_job ->> 'workspace_id')::uuid and j.id = (p_job ->> 'id')::uuid
  for update skip locked;
  if not found then
    return 0;
  end if;
  select jsonb_agg(jsonb_build_array(r.id, s.step)) into v_runs
  from (
    select n.id, n.version, n.step
    from public.journey_runs as n
    where n.workspace_id = v_job.workspace_id and n.journey_id = v_job.journey_id and n.state = 'active'
      and n.version < v_job.version
    order by n.id
    limit 1000
    for update
  ) as r
  join jsonb_to_recordset(p_steps) as s (version integer, "from" text, step text)
    on s.version = r.version and s."from" = r.step;
  if v_runs is null then
    delete from private.journey_jobs as j where j.workspace_id = v_job.workspace_id and j.id = v_job.id;
    return 0;
  end if;
  perform private.end_runs(v_job.workspace_id, array(
    select (r ->> 0)::uuid from jsonb_array_elements(v_runs) as r where r ->> 1 is null
  ), 'removed', p_now);
  perform private.count_moved(v_job, v_runs);
  perform private.log_transfers(
    v_job.workspace_id, v_runs, jsonb_build_object('way', 'move', 'version', v_job.version), p_now
  );
  update public.journey_runs as r
  set
    version = v_job.version, step = n.step, visit = r.visit + 1, due_at = p_now, claim = null, lease_until = null,
    -- A wait is measured from when the run came to it; another step is new.
    stepped_at = case when n.step = r.step then r.stepped_at else p_now end,
    stepped_id = case when n.step = r.step then r.stepped_id else '00000000-0000-0000-0000-000000000000' end
  from (select (e ->> 0)::uuid as id, e ->> 1 as step from jsonb_array_elements(v_runs) as e) as n
  where r.workspace_id = v_job.workspace_id and r.id = n.id and n.step is not null and r.state = 'active';
  perform private.announce_runs(
    v_job.workspace_id, jsonb_build_array(jsonb_build_array(v_job.journey_id, p_now)), p_now
  );
  update private.journey_jobs as j set due_at = p_now, failures = 0, error = null
  where j.workspace_id = v_job.workspace_id and j.id = v_job.id;
  return jsonb_array_length(v_runs);
end
$$;
comment on function private.move_versions(jsonb, jsonb, timestamptz) is
  'Moves up to 1,000 runs to the version of a job {workspace_id, id}. p_steps says where each [{version, from, step}] goes, null for out, and the log of each run records it. Deletes the job when no runs are left. Returns the number of runs moved.';
grant execute on function private.move_versions(jsonb, jsonb, timestamptz) to signalpost_automation;
