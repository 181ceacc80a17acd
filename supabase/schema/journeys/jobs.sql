-- Purpose: work on many customers or runs of a journey, in steps.
-- Locks:   the row of the job; then as the work itself.

create or replace function private.can_include(p_job private.journey_jobs, p_now timestamptz)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_journey public.journeys;
  v_is_computing boolean;
begin
  -- A change of the state at this moment does not wait for the members.
  select j.* into v_journey
  from public.journeys as j
  where j.workspace_id = p_job.workspace_id and j.id = p_job.journey_id
  for share skip locked;
  select s.state = 'computing' into v_is_computing
  from public.journey_versions as v
  join public.segments as s on s.workspace_id = v.workspace_id and s.id::text = v.definition #>> '{trigger,segment}'
  where v.workspace_id = v_journey.workspace_id and v.journey_id = v_journey.id and v.version = v_journey.version;
  if v_journey.state = 'running' and not coalesce(v_is_computing, false) then
    return true;
  end if;
  update private.journey_jobs as b
  -- A change to running makes it due again.
  set due_at = case when v_journey.state <> 'running' then 'infinity' else p_now + interval '1 second' end
  where b.workspace_id = p_job.workspace_id and b.id = p_job.id;
  return false;
end
$$;
comment on function private.can_include(private.journey_jobs, timestamptz) is
  'Returns true if members may enter now. Otherwise postpones the job, while the journey is paused or its segment is computed.';

create or replace function private.include_members(p_job private.journey_jobs, p_limit integer, p_now timestamptz)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_version public.journey_versions;
  v_ids uuid[];
begin
  -- The newest one: the journey may have been published again since.
  select v.* into v_version
  from public.journeys as j
  join public.journey_versions as v
    on v.workspace_id = j.workspace_id and v.journey_id = j.id and v.version = j.version
  where j.workspace_id = p_job.workspace_id and j.id = p_job.journey_id;
  v_ids := array(
    select m.customer_id
    from public.segments as s
    join public.segment_members as m
      on m.workspace_id = s.workspace_id and m.segment_id = s.id and m.version = s.version
    where s.workspace_id = p_job.workspace_id and s.id::text = v_version.definition #>> '{trigger,segment}'
      and m.customer_id > p_job.cursor
    order by m.customer_id
    limit p_limit
  );
  perform private.enter_runs(p_job.workspace_id, array(
    select row(
      v_version.journey_id, v_version.version, i.id, p_now, null, '{}',
      jsonb_build_object('segment', v_version.definition #> '{trigger,segment}', 'current', true), 0
    )::private.journey_entry
    from unnest(v_ids) as i (id)
    -- Once each, also when the journey is published again.
    where not exists (
      select from private.journey_entries as e
      where e.workspace_id = p_job.workspace_id and e.journey_id = p_job.journey_id and e.customer_id = i.id
    )
  ), p_now);
  return case when cardinality(v_ids) = p_limit then v_ids[p_limit] end;
end
$$;
comment on function private.include_members(private.journey_jobs, integer, timestamptz) is
  'Lets the next p_limit members of the segment that triggers a journey enter it, except those who were inside before. Returns where to continue, null at the end.';

create or replace function private.include_dates(p_job private.journey_jobs, p_limit integer, p_now timestamptz)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_ids uuid[] := array(
    select c.id from public.customers as c
    where c.workspace_id = p_job.workspace_id and c.id > p_job.cursor order by c.id limit p_limit
  );
begin
  insert into private.journey_dates as d (workspace_id, journey_id, customer_id, due_at)
  select p_job.workspace_id, p_job.journey_id, i.id, p_now from unnest(v_ids) as i (id)
  on conflict (workspace_id, journey_id, customer_id) do update set due_at = least(d.due_at, p_now);
  return case when cardinality(v_ids) = p_limit then v_ids[p_limit] end;
end
$$;
comment on function private.include_dates(private.journey_jobs, integer, timestamptz) is
  'Makes a worker compute the dates of the next p_limit customers. Returns where to continue, null at the end.';

create or replace function private.next_runs(p_job private.journey_jobs, p_limit integer)
returns uuid[]
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select array(
    select r.id from public.journey_runs as r
    where r.workspace_id = p_job.workspace_id and r.journey_id = p_job.journey_id
      and r.id > p_job.cursor and r.state = 'active'
    order by r.id
    limit p_limit
  )
$$;
comment on function private.next_runs(private.journey_jobs, integer) is
  'The next p_limit active runs for a job.';

create or replace function private.pass_by_runs(p_job private.journey_jobs, p_limit integer, p_now timestamptz)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_ids uuid[] := private.next_runs(p_job, p_limit);
begin
  update public.journey_runs as r set is_passed_by = true
  where r.workspace_id = p_job.workspace_id and r.id = any (v_ids) and r.due_at <= p_now;
  if cardinality(v_ids) = p_limit then
    return v_ids[p_limit];
  end if;
  update private.journey_lanes as l set is_open = true
  from public.journeys as j
  where l.workspace_id = p_job.workspace_id and l.journey_id = p_job.journey_id
    and j.workspace_id = l.workspace_id and j.id = l.journey_id and j.state in ('running', 'draining');
  return null;
end
$$;
comment on function private.pass_by_runs(private.journey_jobs, integer, timestamptz) is
  'Marks the next p_limit runs that fell due during a pause; after the last, the journey moves again. Returns where to continue, null at the end.';

create or replace function private.look_at_runs(p_job private.journey_jobs, p_limit integer, p_now timestamptz)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_ids uuid[] := private.next_runs(p_job, p_limit);
begin
  perform private.wake_runs(p_job.workspace_id, array(
    select r.id
    from public.journey_runs as r
    join public.journey_versions as v
      on v.workspace_id = r.workspace_id and v.journey_id = r.journey_id and v.version = r.version
    where r.workspace_id = p_job.workspace_id and r.id = any (v_ids)
      and (v.definition ? 'exit_when' or private.is_wait_local(v.definition -> 'steps' -> r.step -> 'wait'))
  ), p_now);
  return case when cardinality(v_ids) = p_limit then v_ids[p_limit] end;
end
$$;
comment on function private.look_at_runs(private.journey_jobs, integer, timestamptz) is
  'Makes a worker look at those of the next p_limit runs that wait for a local time or a date, or that a condition can end. Returns where to continue, null at the end.';

create or replace function private.work_journey_job(p_job private.journey_jobs, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_ids uuid[];
  v_next uuid;
begin
  if p_job.kind = 'include' then
    if not private.can_include(p_job, p_now) then
      return;
    end if;
    v_next := private.include_members(p_job, 500, p_now);
  elsif p_job.kind = 'dates' then
    v_next := private.include_dates(p_job, 1000, p_now);
  elsif p_job.kind = 'pass_by' then
    v_next := private.pass_by_runs(p_job, 5000, p_now);
  elsif p_job.kind = 'look' then
    v_next := private.look_at_runs(p_job, 1000, p_now);
  elsif p_job.kind = 'stop' then
    v_ids := private.next_runs(p_job, 1000);
    perform private.end_runs(p_job.workspace_id, v_ids, 'stopped', p_now);
    v_next := case when cardinality(v_ids) = 1000 then v_ids[1000] end;
  end if;
  if v_next is null then
    delete from private.journey_jobs as j where j.workspace_id = p_job.workspace_id and j.id = p_job.id;
  else
    update private.journey_jobs as j
    set
      cursor = v_next, failures = 0, error = null,
      -- Throttled: members enter beside those whom events bring.
      due_at = case when p_job.kind = 'include' then p_now + interval '1 second' else p_now end
    where j.workspace_id = p_job.workspace_id and j.id = p_job.id;
  end if;
end
$$;
comment on function private.work_journey_job(private.journey_jobs, timestamptz) is
  'Does one step of a job in SQL, and deletes the job after the last.';

create or replace function private.work_journey_jobs(p_now timestamptz default clock_timestamp())
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
begin
  select j.* into v_job
  from private.journey_jobs as j
  where j.due_at <= p_now and j.kind <> 'move'
  order by j.due_at, j.id
  limit 1
  for update skip locked;
  if not found then
    return 0;
  end if;
  begin
    perform private.work_journey_job(v_job, p_now);
  exception
    when serialization_failure or deadlock_detected then
      raise;
    when others then
      -- One workspace must not hold up the others: it may be on its way to another cell.
      raise warning 'Cannot continue with a job of journey "%": %', v_job.journey_id, sqlerrm;
      update private.journey_jobs as j
      set
        failures = j.failures + 1, error = left(sqlerrm, 1000),
        -- Not given up: a journey must stop, and its members must come in, when that is possible again.
        due_at = private.retry_job_at(least(j.failures + 1, private.job_failure_limit() - 1), p_now)
      where j.workspace_id = v_job.workspace_id and j.id = v_job.id;
  end;
  return 1;
end
$$;
comment on function private.work_journey_jobs(timestamptz) is
  'Does one step of a job that is due, and postpones a job that fails. Returns 0 if no job is due.';
grant execute on function private.work_journey_jobs(timestamptz) to signalpost_automation;
