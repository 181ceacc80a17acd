-- Purpose: what follows from a definition: which conditions a worker needs at a step, and which
--          changes matter to the runs.

create or replace function private.step_kind(p_step jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select k.kind
  from unnest('{send,wait,wait_for,branch,split,update,webhook,exit}'::text[]) as k (kind)
  where p_step ? k.kind
  limit 1
$$;
comment on function private.step_kind(jsonb) is 'The kind of a step: the name of its own property.';

create or replace function private.next_steps(p_step jsonb)
returns text[]
language sql
immutable
security invoker
set search_path = ''
as $$
  select array(
    select n.step
    from (
      values (p_step ->> 'next'), (p_step ->> 'on_timeout'), (p_step ->> 'else'), (p_step #>> '{wait,on_missing}')
    ) as n (step)
    where n.step is not null
    union
    select w ->> 'next'
    from jsonb_array_elements(
      case when jsonb_typeof(p_step -> 'branch') = 'array' then p_step -> 'branch' else '[]' end
        || case when jsonb_typeof(p_step -> 'split') = 'array' then p_step -> 'split' else '[]' end
    ) as w
    where w ->> 'next' is not null
  )
$$;
comment on function private.next_steps(jsonb) is 'The steps that can follow a step.';

create or replace function private.reached_branches(p_steps jsonb, p_step text)
returns text[]
language sql
immutable
security invoker
set search_path = ''
as $$
  with recursive reached (step, is_first) as (
    select p_step, true
    union
    select n.step, false
    from reached as r
    cross join lateral unnest(private.next_steps(p_steps -> r.step)) as n (step)
    -- A worker reads the customer again after a wait or an update.
    where r.is_first or not p_steps -> r.step ?| array['wait', 'wait_for', 'update']
  )
  select array(
    select distinct r.step from reached as r where p_steps -> r.step ? 'branch' order by r.step
  )
$$;
comment on function private.reached_branches(jsonb, text) is
  'The branches that a run can come to in one turn, starting at a step.';

create or replace function private.plan_journey(p_definition jsonb)
returns jsonb
language sql
immutable
security invoker
set search_path = ''
as $$
  select jsonb_build_object('branches', coalesce(jsonb_object_agg(
    s.key, to_jsonb(private.reached_branches(p_definition -> 'steps', s.key))
  ), '{}'))
  from jsonb_each(p_definition -> 'steps') as s
$$;
comment on function private.plan_journey(jsonb) is
  'The plan of a definition: per step the branches whose answers a worker needs when it starts there.';

create or replace function private.condition_interests(p_condition jsonb)
returns table (kind text, ref text)
language sql
stable
security invoker
set search_path = ''
as $$
  select distinct i.kind, i.ref
  from private.condition_leaves(p_condition) as l
  cross join lateral (
    values
      ('event', l.leaf ->> 'event'),
      ('profile', case when l.leaf ->> 'field' <> 'last_seen_at' and l.leaf ->> 'field' not like 'trigger.%' then '' end),
      ('profile', case when l.leaf ->> 'field' = 'last_seen_at' then 'last_seen_at' end),
      ('profile', case when l.leaf ? 'journey' then '' end),
      -- Nothing changes with this name: it lets private.note_runs note runs.
      ('profile', case when l.leaf ? 'journey' then 'journey' end),
      ('segment', l.leaf ->> 'segment'),
      ('consent', case when l.leaf ? 'topic' then '' end),
      -- Consent belongs to the address, and the profile may get another one.
      ('profile', case when l.leaf ? 'topic' then '' end)
  ) as i (kind, ref)
  where i.ref is not null
$$;
comment on function private.condition_interests(jsonb) is
  'The kinds of changes that can change the answer of a condition.';

create or replace function private.is_wait_local(p_wait jsonb)
returns boolean
language sql
immutable
security invoker
set search_path = ''
as $$
  select p_wait ? 'until'
$$;
comment on function private.is_wait_local(jsonb) is
  'True for a wait whose end depends on the customer: the time zone, or a date.';

create or replace function private.run_interests(p_definition jsonb)
returns table (kind text, ref text, step text)
language sql
stable
security invoker
set search_path = ''
as $$
  select i.kind, i.ref, ''
  from private.condition_interests(p_definition -> 'exit_when') as i
  where p_definition ? 'exit_when'
  union
  select 'event', e.event, ''
  from (values (p_definition #>> '{exit_on,event}'), (p_definition #>> '{goal,event}')) as e (event)
  where e.event is not null
  union
  select 'event', s.value #>> '{wait_for,event}', s.key
  from jsonb_each(p_definition -> 'steps') as s
  where s.value ? 'wait_for'
  union
  select 'profile', '', s.key
  from jsonb_each(p_definition -> 'steps') as s
  where private.is_wait_local(s.value -> 'wait')
$$;
comment on function private.run_interests(jsonb) is
  'The changes that make a worker look at the runs of a definition again, some at one step only.';

create or replace function private.follow_journey(p_workspace_id uuid, p_definition jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if p_definition -> 'trigger' ? 'date'
    or exists (select from private.run_interests(p_definition) as i where i.kind = 'profile') then
    perform private.lock_segment_lane(p_workspace_id);
    perform private.follow_customers(p_workspace_id);
  end if;
end
$$;
comment on function private.follow_journey(uuid, jsonb) is
  'Lets ingest note customers if the runs or the trigger of a definition depend on the profile.';

create or replace function private.write_interests(p_version public.journey_versions)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_trigger jsonb := p_version.definition -> 'trigger';
begin
  insert into private.journey_interests (workspace_id, journey_id, version, role, kind, ref, step)
  select p_version.workspace_id, p_version.journey_id, p_version.version, i.role, i.kind, i.ref, i.step
  from (
    select 'run' as role, r.kind, r.ref, r.step from private.run_interests(p_version.definition) as r
    union
    select 'trigger', t.kind, t.ref, ''
    from (
      values
        ('event', v_trigger ->> 'event'), ('segment', v_trigger ->> 'segment'),
        ('date', case when v_trigger ? 'date' then '' end)
    ) as t (kind, ref)
    where t.ref is not null
  ) as i
  on conflict do nothing;
  insert into private.event_interests (workspace_id, event)
  select distinct i.workspace_id, i.ref
  from private.journey_interests as i
  where i.workspace_id = p_version.workspace_id and i.journey_id = p_version.journey_id
    and i.version = p_version.version and i.kind = 'event'
  on conflict do nothing;
end
$$;
comment on function private.write_interests(public.journey_versions) is
  'Notes what a version depends on, so that ingest notes it for the fold.';

create or replace function private.delete_unused_interests(p_limit integer)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_unused record;
  v_count integer := 0;
begin
  for v_unused in
    select distinct i.workspace_id, i.journey_id, i.version
    from private.journey_interests as i
    left join public.journeys as j on j.workspace_id = i.workspace_id and j.id = i.journey_id
    where (j.id is null or j.version <> i.version or j.state in ('draining', 'stopped'))
      and not exists (
        select from public.journey_runs as r
        where r.workspace_id = i.workspace_id and r.journey_id = i.journey_id
          and r.version = i.version and r.state = 'active'
      )
    limit p_limit
  loop
    -- A fold, or a member who edits segments, would write the names again.
    perform from private.segment_lanes as l where l.workspace_id = v_unused.workspace_id for update skip locked;
    continue when not found;
    delete from private.journey_interests as i
    where i.workspace_id = v_unused.workspace_id and i.journey_id = v_unused.journey_id
      and i.version = v_unused.version;
    perform private.drop_unused_features(v_unused.workspace_id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.delete_unused_interests(integer) is
  'Deletes what versions without runs depend on, and returns the number of versions.';
