-- Purpose: a worker claims the runs that are due, for as long as a lease.
-- Locks:   lanes, then runs; those that are locked are left for later.

create or replace function private.fold_run_arrivals()
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_due jsonb;
begin
  with arrived as (
    delete from private.run_arrivals as a
    where (a.workspace_id, a.id) in (
      select n.workspace_id, n.id from private.run_arrivals as n
      order by n.workspace_id, n.id
      limit 1000
      for update skip locked
    )
    returning a.workspace_id, a.journey_id, a.due_at
  )
  select jsonb_agg(to_jsonb(n)) into v_due
  from (
    select a.workspace_id, a.journey_id, min(a.due_at) as due_at from arrived as a group by 1, 2
  ) as n;
  if v_due is null then
    return;
  end if;
  perform
  from (
    select d.* from jsonb_to_recordset(v_due) as d (workspace_id uuid, journey_id uuid) order by 1, 2
  ) as d
  cross join lateral (
    select from private.journey_lanes as l
    where l.workspace_id = d.workspace_id and l.journey_id = d.journey_id
    for update
  ) as l;
  update private.journey_lanes as l
  set due_at = least(l.due_at, d.due_at)
  from jsonb_to_recordset(v_due) as d (workspace_id uuid, journey_id uuid, due_at timestamptz)
  where l.workspace_id = d.workspace_id and l.journey_id = d.journey_id;
end
$$;
comment on function private.fold_run_arrivals() is 'Marks the lanes whose runs became due.';

create or replace function private.take_runs(p_claim uuid, p_limit integer, p_lease interval, p_now timestamptz)
returns public.journey_runs[]
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_lanes private.journey_lanes[];
  v_runs public.journey_runs[];
begin
  with ready as materialized (
    select l.workspace_id, l.journey_id, l.due_at
    from private.journey_lanes as l
    where l.is_open and l.due_at <= p_now
    -- Longest since the last turn first.
    order by l.claimed_at, l.due_at
    limit 50
    for update skip locked
  )
  select array_agg(k.lane order by (k.lane).claimed_at) into v_lanes
  from ready as r
  cross join lateral (
    select l as lane from private.journey_lanes as l
    where l.workspace_id = r.workspace_id and l.journey_id = r.journey_id
  ) as k;
  if v_lanes is null then
    return '{}';
  end if;
  with due as materialized (
    select d.workspace_id, d.id
    from unnest(v_lanes) as l
    cross join lateral (
      select r.workspace_id, r.id
      from public.journey_runs as r
      where r.workspace_id = l.workspace_id and r.journey_id = l.journey_id
        and r.state = 'active' and r.claim is null
        -- The lower bound keeps the scan off index entries of rows that moved on.
        and r.due_at between l.due_at and p_now
      order by r.due_at
      limit greatest(1, p_limit / cardinality(v_lanes))
      for update skip locked
    ) as d
  ),
  taken as (
    update public.journey_runs as r
    set claim = p_claim, lease_until = p_now + p_lease
    from due as d
    where r.workspace_id = d.workspace_id and r.id = d.id
    returning r as run
  )
  select coalesce(array_agg(t.run order by (t.run).due_at, (t.run).id), '{}') into v_runs from taken as t;
  update private.journey_lanes as l
  set claimed_at = clock_timestamp(), due_at = coalesce((
    select r.due_at from public.journey_runs as r
    where r.workspace_id = l.workspace_id and r.journey_id = l.journey_id
      and r.state = 'active' and r.claim is null and r.due_at >= l.due_at
    order by r.due_at
    limit 1
  ), 'infinity')
  where (l.workspace_id, l.journey_id) in (select k.workspace_id, k.journey_id from unnest(v_lanes) as k);
  return v_runs;
end
$$;
comment on function private.take_runs(uuid, integer, interval, timestamptz) is
  'Claims runs that are due, from the journeys that waited the longest.';

create or replace function private.answer_branches(
  p_version public.journey_versions,
  p_runs public.journey_runs[],
  p_now timestamptz
)
returns table (run_id uuid, name text, is_true boolean)
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_branch record;
  v_runs public.journey_runs[];
begin
  for v_branch in
    select b.step, w.value -> 'when' as condition, w.ordinality - 1 as place
    from (
      select distinct e.value as step
      from unnest(p_runs) as r
      cross join lateral jsonb_array_elements_text(p_version.plan -> 'branches' -> r.step) as e
    ) as b
    cross join lateral jsonb_array_elements(p_version.definition -> 'steps' -> b.step -> 'branch')
      with ordinality as w
  loop
    v_runs := array(
      select r from unnest(p_runs) as r where p_version.plan -> 'branches' -> r.step ? v_branch.step
    );
    return query
    select (v_runs[e.place]).id, format('%s:%s', v_branch.step, v_branch.place), e.is_true
    from private.evaluate_items(
      p_version.workspace_id, v_branch.condition,
      array(select r.customer_id from unnest(v_runs) as r), array(select r.trigger from unnest(v_runs) as r), p_now
    ) as e;
  end loop;
end
$$;
comment on function private.answer_branches(public.journey_versions, public.journey_runs[], timestamptz) is
  'The answers of the branches that the runs can come to in this turn, named "<step>:<place>".';

create or replace function private.run_events(p_version public.journey_versions, p_runs public.journey_runs[])
returns table (run_id uuid, name text, event jsonb)
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_wanted record;
begin
  for v_wanted in
    select 'goal' as name, p_version.definition -> 'goal' as wanted, null as step
    union all
    select 'exit_on', p_version.definition -> 'exit_on', null
    union all
    select 'awaited', jsonb_build_object('since', 'step') || (p_version.definition -> 'steps' -> s.step -> 'wait_for'), s.step
    from (select distinct r.step from unnest(p_runs) as r) as s
  loop
    continue when v_wanted.wanted is null;
    return query
    select f.run_id, v_wanted.name, jsonb_build_object(
      'id', f.event_id, 'received_at', private.rfc3339(f.received_at)
    )
    from private.find_run_events(p_version.workspace_id, v_wanted.wanted, array(
      select r from unnest(p_runs) as r
      where (v_wanted.step is null or r.step = v_wanted.step) and (v_wanted.name <> 'goal' or r.goal_at is null)
    )) as f;
  end loop;
end
$$;
comment on function private.run_events(public.journey_versions, public.journey_runs[]) is
  'The events that runs wait for or end with: goal, exit_on and awaited.';

create or replace function private.describe_runs(
  p_version public.journey_versions,
  p_runs public.journey_runs[],
  p_now timestamptz
)
returns table (run_id uuid, facts jsonb)
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_zone text := (select w.timezone from public.workspaces as w where w.id = p_version.workspace_id);
  v_exit_when jsonb := p_version.definition -> 'exit_when';
begin
  return query
  with answers as (
    select a.run_id, jsonb_object_agg(a.name, a.is_true) as answers
    from private.answer_branches(p_version, p_runs, p_now) as a
    group by a.run_id
  ),
  events as (
    select e.run_id, jsonb_object_agg(e.name, e.event) as events
    from private.run_events(p_version, p_runs) as e
    group by e.run_id
  ),
  exits as (
    select (p_runs[e.place]).id as run_id, e.is_true, e.changes_at
    from private.evaluate_items(
      p_version.workspace_id, coalesce(v_exit_when, '{"any": []}'),
      case when v_exit_when is null then '{}' else array(select r.customer_id from unnest(p_runs) as r) end,
      case when v_exit_when is null then '{}' else array(select r.trigger from unnest(p_runs) as r) end,
      p_now
    ) as e
  )
  select
    r.id,
    jsonb_build_object(
      'customer', d.document, 'workspace_zone', v_zone, 'answers', coalesce(a.answers, '{}'),
      'exit_when', coalesce(x.is_true, false),
      'exit_changes_at', case when x.changes_at < 'infinity' then private.rfc3339(x.changes_at) end,
      'wake_at', private.rfc3339(r.wake_at)
    ) || coalesce(e.events, '{}')
  from unnest(p_runs) as r
  left join private.customer_documents(
    p_version.workspace_id, array(select distinct n.customer_id from unnest(p_runs) as n)
  ) as d on d.customer_id = r.customer_id
  left join answers as a on a.run_id = r.id
  left join events as e on e.run_id = r.id
  left join exits as x on x.run_id = r.id;
end
$$;
comment on function private.describe_runs(public.journey_versions, public.journey_runs[], timestamptz) is
  'Facts that a worker needs to move runs of a version: customer, workspace_zone, answers, exit_when, exit_changes_at, wake_at, goal, exit_on, awaited.';

create or replace function private.run_facts(p_runs public.journey_runs[], p_now timestamptz)
returns table (run_id uuid, facts jsonb, journey_name text)
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_version record;
begin
  for v_version in
    select v as version, j.name, k.runs
    from (
      select r.workspace_id, r.journey_id, r.version, array_agg(r) as runs
      from unnest(p_runs) as r
      group by 1, 2, 3
    ) as k
    join public.journeys as j on j.workspace_id = k.workspace_id and j.id = k.journey_id
    join public.journey_versions as v
      on v.workspace_id = k.workspace_id and v.journey_id = k.journey_id and v.version = k.version
  loop
    return query
    select d.run_id, d.facts, v_version.name
    from private.describe_runs(v_version.version, v_version.runs, p_now) as d;
  end loop;
end
$$;
comment on function private.run_facts(public.journey_runs[], timestamptz) is
  'The facts of runs of any versions, and the names of their journeys.';

create or replace function private.claim_runs(
  p_limit integer,
  p_lease interval default interval '60 seconds',
  p_now timestamptz default clock_timestamp()
)
returns table (
  claim uuid,
  workspace_id uuid,
  run_id uuid,
  journey_id uuid,
  journey_name text,
  version integer,
  customer_id uuid,
  step text,
  visit integer,
  stepped_at timestamptz,
  stepped_id uuid,
  entered_at timestamptz,
  goal_at timestamptz,
  is_passed_by boolean,
  trigger jsonb,
  depth integer,
  wakes integer,
  facts jsonb
)
language plpgsql
volatile
-- Definer: the worker's role may execute this and read or write no table.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_claim uuid := gen_random_uuid();
  v_runs public.journey_runs[];
  v_lag interval;
begin
  perform private.fold_run_arrivals();
  v_runs := private.take_runs(v_claim, p_limit, p_lease, p_now);
  if cardinality(v_runs) = 0 then
    return;
  end if;
  -- Before the facts are read, in a statement of its own.
  v_lag := private.ingest_lag();
  return query
  select
    v_claim, r.workspace_id, r.id, r.journey_id, f.journey_name, r.version, r.customer_id, r.step, r.visit,
    r.stepped_at, r.stepped_id, r.entered_at, r.goal_at, r.is_passed_by, r.trigger, r.depth::integer, r.wakes,
    f.facts || jsonb_build_object(
      'known_until', private.rfc3339(date_trunc('milliseconds', p_now) - v_lag)
    )
  from unnest(v_runs) as r
  join private.run_facts(v_runs, p_now) as f on f.run_id = r.id
  order by r.due_at, r.id;
end
$$;
comment on function private.claim_runs(integer, interval, timestamptz) is
  'Up to about p_limit runs to look at now, with everything needed to move them, leased to the caller.';
grant execute on function private.claim_runs(integer, interval, timestamptz) to signalpost_automation;

create or replace function private.find_definitions(p_versions jsonb)
returns table (workspace_id uuid, journey_id uuid, version integer, definition jsonb)
language sql
stable
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set jit = 'off'
as $$
  select v.workspace_id, v.journey_id, v.version, v.definition
  from jsonb_to_recordset(p_versions) as k (workspace_id uuid, journey_id uuid, version integer)
  join public.journey_versions as v
    on v.workspace_id = k.workspace_id and v.journey_id = k.journey_id and v.version = k.version
$$;
comment on function private.find_definitions(jsonb) is
  'The definitions of versions, a list of workspace_id, journey_id and version; they never change.';
grant execute on function private.find_definitions(jsonb) to signalpost_automation;
