-- Purpose: runs end from outside: by a member, a stop, a merge, an erasure.
-- Locks:   runs by id; a worker that holds one finds that its claim is gone.

create or replace function private.end_runs(
  p_workspace_id uuid,
  p_run_ids uuid[],
  p_reason text,
  p_now timestamptz
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_now timestamptz := date_trunc('milliseconds', p_now);
  v_ended public.journey_runs[];
begin
  with locked as materialized (
    select r.id
    from public.journey_runs as r
    where r.workspace_id = p_workspace_id and r.id = any (p_run_ids) and r.state = 'active'
    order by r.id
    for update
  ),
  ended as (
    update public.journey_runs as r
    set
      state = 'ended', reason = p_reason, exited_at = v_now, visit = r.visit + 1,
      wake_at = null, due_at = 'infinity', claim = null, lease_until = null
    from locked as l
    where r.workspace_id = p_workspace_id and r.id = l.id
    returning r as run
  ),
  logged as (
    insert into public.run_steps (
      workspace_id, run_id, visit, at, done_at, journey_id, version, step, kind, outcome
    )
    select
      p_workspace_id, (e.run).id, (e.run).visit, v_now, v_now, (e.run).journey_id, (e.run).version, (e.run).step,
      coalesce(private.step_kind(v.definition -> 'steps' -> (e.run).step), 'exit'),
      jsonb_build_object('way', 'exit', 'reason', p_reason)
    from ended as e
    left join public.journey_versions as v
      on v.workspace_id = p_workspace_id and v.journey_id = (e.run).journey_id and v.version = (e.run).version
  )
  select coalesce(array_agg(e.run), '{}') into v_ended from ended as e;
  if cardinality(v_ended) > 0 then
    insert into private.journey_stat_deltas (workspace_id, journey_id, version, step, kind, count)
    select p_workspace_id, r.journey_id, r.version, r.step, 'left:exit', count(*)
    from unnest(v_ended) as r
    group by r.journey_id, r.version, r.step;
    perform private.tell_ends(p_workspace_id, v_ended, v_now);
  end if;
  return cardinality(v_ended);
end
$$;
comment on function private.end_runs(uuid, uuid[], text, timestamptz) is
  'Ends those of these runs that are active, at their current step and for a reason. Returns the number ended.';

create or replace function private.remove_run(p_workspace_id uuid, p_run_id uuid)
returns boolean
language plpgsql
volatile
-- Definer: callers may not write runs.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  if not exists (
    select from public.journey_runs as r where r.workspace_id = p_workspace_id and r.id = p_run_id
  ) then
    return false;
  end if;
  perform private.end_runs(p_workspace_id, array[p_run_id], 'removed', clock_timestamp());
  return true;
end
$$;
comment on function private.remove_run(uuid, uuid) is
  'Removes a customer from a journey. Returns false if the run does not exist. Returns true if the run exists, even if it has already ended.';
grant execute on function private.remove_run(uuid, uuid) to signalpost_user, signalpost_key;

create or replace function private.end_customer_runs(p_workspace_id uuid, p_customer_id uuid, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform private.end_runs(p_workspace_id, array(
    select r.id from public.journey_runs as r
    where r.workspace_id = p_workspace_id and r.customer_id = p_customer_id and r.state = 'active'
  ), 'deleted', p_now);
end
$$;
comment on function private.end_customer_runs(uuid, uuid, timestamptz) is
  'Ends the runs of a customer who is erased.';

create or replace function private.merge_runs(
  p_workspace_id uuid,
  p_survivor_id uuid,
  p_merged_id uuid,
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_run_ids uuid[] := array(
    select r.id from public.journey_runs as r
    where r.workspace_id = p_workspace_id and r.customer_id in (p_survivor_id, p_merged_id) and r.state = 'active'
    order by r.id
    for update
  );
begin
  if cardinality(v_run_ids) > 0 then
    -- The one that entered first continues when two are in one journey with one key.
    perform private.end_runs(p_workspace_id, array(
      select d.id
      from (
        select r.id, r.is_parallel, row_number() over (
          partition by r.journey_id, r.key, r.is_parallel order by r.entered_at, r.entered_id, r.id
        ) as nth
        from public.journey_runs as r
        where r.workspace_id = p_workspace_id and r.id = any (v_run_ids)
      ) as d
      where not d.is_parallel and d.nth > 1
    ), 'merged', p_now);
    update public.journey_runs as r
    -- A worker that holds a run has read a customer that has changed since.
    set customer_id = p_survivor_id, claim = null, lease_until = null
    where r.workspace_id = p_workspace_id and r.id = any (v_run_ids) and r.state = 'active';
    perform private.wake_runs(p_workspace_id, v_run_ids, p_now);
  end if;
  update public.journey_runs as r set customer_id = p_survivor_id
  where r.workspace_id = p_workspace_id and r.customer_id = p_merged_id;
  with moved as (
    delete from private.journey_entries as e
    where e.workspace_id = p_workspace_id and e.customer_id = p_merged_id
    returning e.*
  )
  insert into private.journey_entries as l (workspace_id, journey_id, customer_id, key, times, last_at)
  select m.workspace_id, m.journey_id, p_survivor_id, m.key, m.times, m.last_at
  from moved as m
  order by m.journey_id, m.key
  on conflict (workspace_id, journey_id, customer_id, key) do update
  set times = l.times + excluded.times, last_at = greatest(l.last_at, excluded.last_at);
  with moved as (
    delete from private.journey_dates as d
    where d.workspace_id = p_workspace_id and d.customer_id = p_merged_id
    returning d.*
  )
  insert into private.journey_dates as d (workspace_id, journey_id, customer_id, due_at, entered_for)
  select m.workspace_id, m.journey_id, p_survivor_id, least(m.due_at, p_now), m.entered_for
  from moved as m
  order by m.journey_id
  on conflict (workspace_id, journey_id, customer_id) do update
  set due_at = least(d.due_at, excluded.due_at), entered_for = greatest(d.entered_for, excluded.entered_for);
end
$$;
comment on function private.merge_runs(uuid, uuid, uuid, timestamptz) is
  'Gives the runs, entries and timers of a merged customer to the survivor; of two runs in one journey with one key, the later ends with merged.';

create or replace function private.erase_journey_rows(
  p_erasure private.erasures,
  p_limit integer,
  p_now timestamptz
)
returns private.erasure_progress
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_run_ids uuid[] := array(
    select r.id from public.journey_runs as r
    where r.workspace_id = p_erasure.workspace_id and r.customer_id = any (p_erasure.customer_ids)
    order by r.id
    limit least(p_limit, 500)
  );
begin
  delete from private.journey_entries as e
  where e.workspace_id = p_erasure.workspace_id and e.customer_id = any (p_erasure.customer_ids);
  delete from private.journey_dates as d
  where d.workspace_id = p_erasure.workspace_id and d.customer_id = any (p_erasure.customer_ids);
  update public.rehearsals as h
  set examples = (
    select coalesce(jsonb_agg(e.value order by e.ordinality), '[]')
    from jsonb_array_elements(h.examples) with ordinality as e
    where (e.value ->> 'customer_id')::uuid <> all (p_erasure.customer_ids)
  )
  where h.workspace_id = p_erasure.workspace_id and exists (
    select from jsonb_array_elements(h.examples) as e
    where (e.value ->> 'customer_id')::uuid = any (p_erasure.customer_ids)
  );
  delete from public.run_steps as s
  where s.workspace_id = p_erasure.workspace_id and s.run_id = any (v_run_ids);
  delete from public.journey_runs as r
  where r.workspace_id = p_erasure.workspace_id and r.id = any (v_run_ids);
  return private.batch_progress(cardinality(v_run_ids), least(p_limit, 500));
end
$$;
comment on function private.erase_journey_rows(private.erasures, integer, timestamptz) is
  'Deletes runs with their steps, entries, timers and examples in rehearsals of an erased customer, up to p_limit runs.';

create or replace function private.delete_old_runs(p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_rows integer;
begin
  delete from public.journey_runs as r
  where (r.workspace_id, r.id) in (
    select o.workspace_id, o.id from public.journey_runs as o
    -- As long as their steps.
    where o.exited_at < p_now - (
      select p.keep from private.partition_policies as p where p.table_name = 'run_steps'
    )
    order by o.exited_at
    limit p_limit
    for update skip locked
  );
  get diagnostics v_rows = row_count;
  return v_rows;
end
$$;
comment on function private.delete_old_runs(integer, timestamptz) is
  'Deletes up to p_limit runs that ended longer ago than steps are kept, and returns the number deleted.';
