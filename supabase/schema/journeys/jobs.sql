-- Purpose: work on many customers or runs of a journey, in steps; and runs that are put back.
-- Locks:   the row of the job; then as the work itself.

create or replace function private.include_members(p_job private.journey_jobs, p_limit integer, p_now timestamptz)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_trigger jsonb;
  v_ids uuid[];
begin
  select v.definition -> 'trigger' into v_trigger
  from public.journey_versions as v
  where v.workspace_id = p_job.workspace_id and v.journey_id = p_job.journey_id and v.version = p_job.version;
  v_ids := array(
    select m.customer_id
    from public.segments as s
    join public.segment_members as m
      on m.workspace_id = s.workspace_id and m.segment_id = s.id and m.version = s.version
    where s.workspace_id = p_job.workspace_id and s.id::text = v_trigger ->> 'segment'
      and m.customer_id > p_job.cursor
    order by m.customer_id
    limit p_limit
  );
  perform private.enter_runs(p_job.workspace_id, array(
    select row(
      p_job.journey_id, p_job.version, i.id, p_now, null, '{}',
      jsonb_build_object('segment', v_trigger -> 'segment', 'current', true), 0
    )::private.journey_entry
    from unnest(v_ids) as i (id)
  ), p_now);
  return case when cardinality(v_ids) = p_limit then v_ids[p_limit] end;
end
$$;
comment on function private.include_members(private.journey_jobs, integer, timestamptz) is
  'Has the next p_limit members of the segment that triggers a journey enter it; returns where to continue, null at the end.';

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
  on conflict (workspace_id, journey_id, customer_id) do update set due_at = p_now;
  return case when cardinality(v_ids) = p_limit then v_ids[p_limit] end;
end
$$;
comment on function private.include_dates(private.journey_jobs, integer, timestamptz) is
  'Has a worker compute the dates of the next p_limit customers; returns where to continue, null at the end.';

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
  where r.workspace_id = p_job.workspace_id and r.id = any (v_ids) and r.wake_at <= p_now;
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
  'Marks the next p_limit runs whose wait ended during a pause; after the last, the journey moves again. Returns where to continue, null at the end.';

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
    v_next := private.include_members(p_job, 500, p_now);
  elsif p_job.kind = 'dates' then
    v_next := private.include_dates(p_job, 1000, p_now);
  elsif p_job.kind = 'pass_by' then
    v_next := private.pass_by_runs(p_job, 5000, p_now);
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
      cursor = v_next,
      -- Throttled: members enter beside those whom events bring.
      due_at = case when p_job.kind = 'include' then p_now + interval '1 second' else p_now end
    where j.workspace_id = p_job.workspace_id and j.id = p_job.id;
  end if;
end
$$;
comment on function private.work_journey_job(private.journey_jobs, timestamptz) is
  'Works one step of a job in SQL, and deletes the job after the last.';

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
  perform private.work_journey_job(v_job, p_now);
  return 1;
end
$$;
comment on function private.work_journey_jobs(timestamptz) is
  'Works one step of a job that is due; returns 0 when there is none.';
grant execute on function private.work_journey_jobs(timestamptz) to signalpost_automation;

create or replace function private.find_move_job(p_now timestamptz default clock_timestamp())
returns table (workspace_id uuid, id uuid, journey_id uuid, version integer, stands jsonb)
language sql
stable
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
  select j.workspace_id, j.id, j.journey_id, j.version, coalesce((
    select jsonb_agg(distinct jsonb_build_array(r.version, r.step))
    from public.journey_runs as r
    where r.workspace_id = j.workspace_id and r.journey_id = j.journey_id and r.state = 'active'
      and r.version < j.version
  ), '[]')
  from private.journey_jobs as j
  where j.due_at <= p_now and j.kind = 'move'
  order by j.due_at, j.id
  limit 1
$$;
comment on function private.find_move_job(timestamptz) is
  'A job that moves runs to a new version, with the pairs of version and step at which they stand.';
grant execute on function private.find_move_job(timestamptz) to signalpost_automation;

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
  update public.journey_runs as r
  set
    version = v_job.version, step = n.step, due_at = p_now, claim = null, lease_until = null,
    -- A wait is measured from when the run came to it; another step is new.
    stepped_at = case when n.step = r.step then r.stepped_at else p_now end,
    stepped_id = case when n.step = r.step then r.stepped_id else '00000000-0000-0000-0000-000000000000' end
  from (select (e ->> 0)::uuid as id, e ->> 1 as step from jsonb_array_elements(v_runs) as e) as n
  where r.workspace_id = v_job.workspace_id and r.id = n.id and n.step is not null and r.state = 'active';
  perform private.announce_runs(
    v_job.workspace_id, jsonb_build_array(jsonb_build_array(v_job.journey_id, p_now)), p_now
  );
  return jsonb_array_length(v_runs);
end
$$;
comment on function private.move_versions(jsonb, jsonb, timestamptz) is
  'Moves up to 1,000 runs to the version of a job {workspace_id, id}; p_steps says where each [{version, from, step}] goes, null for out. Deletes the job when none is left. Returns how many.';
grant execute on function private.move_versions(jsonb, jsonb, timestamptz) to signalpost_automation;

create or replace function private.replay_runs(p_workspace_id uuid, p_journey_id uuid, p_options jsonb)
returns integer
language plpgsql
volatile
-- Definer: as for private.create_journey.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_now timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_count integer;
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  if not exists (
    select from public.journeys as j
    where j.workspace_id = p_workspace_id and j.id = p_journey_id and j.state in ('running', 'paused', 'draining')
  ) then
    raise sqlstate 'SP409' using message = 'Cannot replay runs: the journey does not run';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_workspace_id::text, 21));
  update public.journey_runs as r
  set
    state = 'active', reason = null, exited_at = null, step = p_options ->> 'from',
    stepped_at = v_now, stepped_id = '00000000-0000-0000-0000-000000000000',
    wake_at = null, due_at = v_now, claim = null, lease_until = null, is_passed_by = false
  from public.journey_versions as v
  where r.workspace_id = p_workspace_id and r.journey_id = p_journey_id
    and r.id in (select e::uuid from jsonb_array_elements_text(p_options -> 'run_ids') as e)
    and v.workspace_id = r.workspace_id and v.journey_id = r.journey_id and v.version = r.version
    and v.definition -> 'steps' ? (p_options ->> 'from')
    and not r.is_holdout
    and exists (select from public.customers as c where c.workspace_id = r.workspace_id and c.id = r.customer_id)
    -- Not where the customer is inside again meanwhile.
    and (r.is_parallel or not exists (
      select from public.journey_runs as o
      where o.workspace_id = r.workspace_id and o.journey_id = r.journey_id and o.customer_id = r.customer_id
        and o.key = r.key and o.state = 'active' and o.id <> r.id
    ));
  get diagnostics v_count = row_count;
  perform private.announce_runs(
    p_workspace_id, jsonb_build_array(jsonb_build_array(p_journey_id, v_now)), v_now
  );
  return v_count;
end
$$;
comment on function private.replay_runs(uuid, uuid, jsonb) is
  'Puts runs {run_ids} at a step {from}, those that ended too; visits count on, so that all is done once more. Leaves out runs whose version lacks the step, and customers who are inside again. Returns how many.';
grant execute on function private.replay_runs(uuid, uuid, jsonb) to signalpost_user, signalpost_key;
