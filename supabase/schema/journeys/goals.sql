-- Purpose: goals that are reached after a run has ended: by those held out, and by others too, so that
--          both can be compared.
-- Locks:   runs by id.

create or replace function private.ended_runs(p_workspace_id uuid, p_signals private.signals[])
returns public.journey_runs[]
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select coalesce(array_agg(r.run), '{}')
  from (
    select c.customer_id, v.journey_id, v.version
    from (select distinct s.name, s.identity_id from unnest(p_signals) as s where s.kind = 'event') as s
    join private.journey_interests as i
      on i.workspace_id = p_workspace_id and i.role = 'run' and i.kind = 'event' and i.ref = s.name and i.step = ''
    join public.journey_versions as v
      on v.workspace_id = i.workspace_id and v.journey_id = i.journey_id and v.version = i.version
      and v.definition #>> '{goal,event}' = s.name
    cross join lateral (
      select n.customer_id from public.identities as n
      where n.workspace_id = p_workspace_id and n.id = s.identity_id limit 1
    ) as c
    union
    -- A merge can bring the event.
    select s.customer_id, null, null from unnest(p_signals) as s where s.kind = 'merge'
  ) as k
  cross join lateral (
    select x as run
    from public.journey_runs as x
    where x.workspace_id = p_workspace_id and x.customer_id = k.customer_id and x.state = 'ended'
      and x.goal_at is null
      and (k.journey_id is null or x.journey_id = k.journey_id and x.version = k.version)
  ) as r
$$;
comment on function private.ended_runs(uuid, private.signals[]) is
  'The runs that had ended before an event that can be their goal, or a merge that can bring one.';

create or replace function private.note_goals(p_runs public.journey_runs[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_version record;
begin
  for v_version in
    select r.workspace_id, r.journey_id, r.version, v.definition -> 'goal' as goal, array_agg(r) as runs
    from unnest(p_runs) as r
    join public.journey_versions as v
      on v.workspace_id = r.workspace_id and v.journey_id = r.journey_id and v.version = r.version
    where r.goal_at is null and r.reason <> all ('{goal,merged,deleted}') and v.definition ? 'goal'
    group by 1, 2, 3, 4
    order by 2, 3
  loop
    with reached as (
      update public.journey_runs as r
      set goal_at = f.received_at
      from private.find_run_events(v_version.workspace_id, v_version.goal, v_version.runs) as f
      where r.workspace_id = v_version.workspace_id and r.id = f.run_id and r.goal_at is null
      returning r.step, r.is_holdout
    )
    insert into private.journey_stat_deltas (workspace_id, journey_id, version, step, kind, count)
    select v_version.workspace_id, v_version.journey_id, v_version.version, k.step, k.kind, count(*)
    from reached as r
    cross join lateral (
      select '' as step, case when r.is_holdout then 'goal_holdout' else 'goal' end as kind
      union all
      select r.step, 'goal' where not r.is_holdout
    ) as k
    group by k.step, k.kind;
  end loop;
end
$$;
comment on function private.note_goals(public.journey_runs[]) is
  'Notes for runs that have ended when their customers reached the goal, and adds it to the figures.';
