-- Purpose: puts runs back at a step.
-- Locks:   as private.lock_journey, then as private.enter_runs, then runs by id.

create or replace function private.restart_runs(
  p_workspace_id uuid,
  p_runs public.journey_runs[],
  p_step text,
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  perform private.log_transfers(p_workspace_id, (
    select jsonb_agg(jsonb_build_array(n.id, p_step)) from unnest(p_runs) as n
  ), '{"way": "replay"}', p_now);
  update public.journey_runs as r
  set
    state = 'active', reason = null, exited_at = null, step = p_step, visit = r.visit + 1,
    stepped_at = p_now, stepped_id = '00000000-0000-0000-0000-000000000000',
    wake_at = null, due_at = p_now, claim = null, lease_until = null, is_passed_by = false
  where r.workspace_id = p_workspace_id and r.id in (select n.id from unnest(p_runs) as n);
  insert into private.journey_stat_deltas (workspace_id, journey_id, version, step, kind, count)
  select p_workspace_id, r.journey_id, r.version, c.step, c.kind, sum(c.count)
  from unnest(p_runs) as r
  cross join lateral (
    select p_step as step, 'came' as kind, 1 as count
    union all select r.step, 'left:replay', 1 where r.state = 'active'
    -- It ends once more.
    union all select '', 'exited:' || r.reason, -1 where r.state = 'ended'
  ) as c
  group by r.journey_id, r.version, c.step, c.kind;
  -- Those of versions without runs may have been forgotten.
  perform private.write_interests(v)
  from public.journey_versions as v
  where v.workspace_id = p_workspace_id
    and (v.journey_id, v.version) in (select n.journey_id, n.version from unnest(p_runs) as n);
  perform private.note_runs(p_workspace_id, p_runs);
end
$$;
comment on function private.restart_runs(uuid, public.journey_runs[], text, timestamptz) is
  'Puts runs at a step, active and due now, with a row in their logs, and corrects the figures.';

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
  v_ids uuid[] := array(select e::uuid from jsonb_array_elements_text(p_options -> 'run_ids') as e);
  v_runs public.journey_runs[];
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  if (private.lock_journey(p_workspace_id, p_journey_id)).state in ('running', 'paused', 'draining') then
    perform pg_advisory_xact_lock(hashtextextended(p_workspace_id::text, 21));
  else
    raise sqlstate 'SP409' using message = 'Cannot replay runs: the journey is not running';
  end if;
  if not exists (
    select from public.journey_versions as v
    where v.workspace_id = p_workspace_id and v.journey_id = p_journey_id
      and v.definition -> 'steps' ? (p_options ->> 'from')
  ) then
    raise sqlstate 'SP400' using
      message = 'must name a step of the journey: no version has it', column = 'from';
  end if;
  v_runs := array(
    select r
    from public.journey_runs as r
    join public.journey_versions as v
      on v.workspace_id = r.workspace_id and v.journey_id = r.journey_id and v.version = r.version
    where r.workspace_id = p_workspace_id and r.journey_id = p_journey_id
      and r.id = any (v_ids)
      and v.definition -> 'steps' ? (p_options ->> 'from')
      and not r.is_holdout
      and exists (select from public.customers as c where c.workspace_id = r.workspace_id and c.id = r.customer_id)
      -- Not where the customer is inside again meanwhile, or another of these runs is newer.
      and (r.is_parallel or not exists (
        select from public.journey_runs as o
        where o.workspace_id = r.workspace_id and o.journey_id = r.journey_id and o.customer_id = r.customer_id
          and o.key = r.key and not o.is_parallel and o.id <> r.id
          and (o.state = 'active' or (o.id > r.id and o.id = any (v_ids)))
      ))
    order by r.id
    for update of r
  );
  perform private.restart_runs(p_workspace_id, v_runs, p_options ->> 'from', v_now);
  perform private.announce_runs(
    p_workspace_id, jsonb_build_array(jsonb_build_array(p_journey_id, v_now)), v_now
  );
  return cardinality(v_runs);
end
$$;
comment on function private.replay_runs(uuid, uuid, jsonb) is
  'Puts runs {run_ids} at a step {from}, including runs that have ended. Visits count on, so that everything is done once more. Leaves out runs whose version lacks the step, and customers who are inside again. Returns the number of runs.';
grant execute on function private.replay_runs(uuid, uuid, jsonb) to signalpost_user, signalpost_key;
