-- Purpose: runs move along to a new version.
-- Locks:   the row of the job, then runs by id.

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
  'Adds runs [run, step] that move to another version to the figures, so that who came to a step stands there or has left it.';

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
