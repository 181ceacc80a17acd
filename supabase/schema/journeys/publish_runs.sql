-- Purpose: webhooks and figures about runs.
-- Locks:   none: rows are only added.

create or replace function private.customer_of_run(p_run public.journey_runs)
returns uuid
language sql
stable
security invoker
set search_path = ''
as $$
  select case
    when (p_run).reason = 'merged' then coalesce((
      select m.customer_id
      from public.customer_merges as m
      where m.workspace_id = (p_run).workspace_id and m.merged_customer_id = (p_run).customer_id
      limit 1
    ), (p_run).customer_id)
    else (p_run).customer_id
  end
$$;
comment on function private.customer_of_run(public.journey_runs) is
  'The customer of a run; of one that a merge ended, the survivor.';

create or replace function private.run_payload(p_run public.journey_runs, p_journey_name text, p_customer jsonb)
returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  select jsonb_build_object(
    'journey', jsonb_build_object('id', p_run.journey_id, 'name', p_journey_name, 'version', p_run.version),
    'run_id', p_run.id,
    -- Only the id is left of an erased customer.
    'customer', coalesce(p_customer, jsonb_build_object('id', p_run.customer_id))
  )
$$;
comment on function private.run_payload(public.journey_runs, text, jsonb) is
  'The part that all messages about a run have: journey, run_id and customer.';

create or replace function private.publish_runs(
  p_workspace_id uuid,
  p_event_type text,
  p_runs public.journey_runs[],
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_subscriptions private.subscription[];
begin
  if coalesce(cardinality(p_runs), 0) = 0 then
    return;
  end if;
  v_subscriptions := private.match_subscriptions(array[p_workspace_id], array[p_event_type]);
  if cardinality(v_subscriptions) = 0 then
    return;
  end if;
  perform private.store_messages(array(
    select row(
      p_workspace_id, p_event_type,
      private.run_payload(k.run, j.name, d.document) || case p_event_type
        when 'journey.entered' then jsonb_build_object(
          'trigger', (k.run).cause || jsonb_build_object('data', (k.run).trigger)
        )
        else jsonb_build_object(
          'reason', (k.run).reason, 'entered_at', private.rfc3339((k.run).entered_at),
          'exited_at', private.rfc3339((k.run).exited_at), 'goal_reached', (k.run).goal_at is not null
        )
      end,
      d.customer_id, null
    )::private.new_message
    from generate_subscripts(p_runs, 1) as g (place)
    cross join lateral (select p_runs[g.place] as run) as k
    join public.journeys as j on j.workspace_id = p_workspace_id and j.id = (k.run).journey_id
    left join private.customer_documents(
      p_workspace_id,
      array(select distinct private.customer_of_run(n) from unnest(p_runs) as n)
    ) as d on d.customer_id = private.customer_of_run(k.run)
    order by g.place
  ), v_subscriptions, p_now);
end
$$;
comment on function private.publish_runs(uuid, text, public.journey_runs[], timestamptz) is
  'Publishes journey.entered or journey.exited for runs, to the destinations that subscribe to it.';

create or replace function private.count_entered(p_workspace_id uuid, p_runs public.journey_runs[])
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into private.journey_stat_deltas (workspace_id, journey_id, version, step, kind, count)
  select p_workspace_id, r.journey_id, r.version, k.step, k.kind, count(*)
  from unnest(p_runs) as r
  cross join lateral (
    select '' as step, 'entered' as kind
    union all select r.step, 'came' where not r.is_holdout
    union all select '', 'holdout' where r.is_holdout
    union all select '', 'exited:holdout' where r.is_holdout
  ) as k
  group by r.journey_id, r.version, k.step, k.kind
$$;
comment on function private.count_entered(uuid, public.journey_runs[]) is
  'Adds runs that began to the figures.';

create or replace function private.tell_ends(p_workspace_id uuid, p_runs public.journey_runs[], p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform private.publish_runs(p_workspace_id, 'journey.exited', p_runs, p_now);
  perform private.note_runs(p_workspace_id, p_runs);
  insert into private.journey_stat_deltas (workspace_id, journey_id, version, step, kind, count)
  select p_workspace_id, r.journey_id, r.version, '', 'exited:' || r.reason, count(*)
  from unnest(p_runs) as r
  group by r.journey_id, r.version, r.reason;
end
$$;
comment on function private.tell_ends(uuid, public.journey_runs[], timestamptz) is
  'Publishes journey.exited for runs that ended, and adds them to the figures.';

create or replace function private.fold_journey_stats(p_limit integer)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_rows integer;
begin
  with taken as (
    delete from private.journey_stat_deltas as d
    where (d.workspace_id, d.id) in (
      select n.workspace_id, n.id from private.journey_stat_deltas as n limit p_limit for update skip locked
    )
    returning d.*
  ),
  added as (
    insert into public.journey_stats as s (workspace_id, journey_id, version, step, kind, count)
    select t.workspace_id, t.journey_id, t.version, t.step, t.kind, sum(t.count)
    from taken as t
    -- A deleted journey leaves its last additions behind.
    join public.journeys as j on j.workspace_id = t.workspace_id and j.id = t.journey_id
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
    on conflict (workspace_id, journey_id, version, step, kind) do update set count = s.count + excluded.count
  )
  select count(*) into v_rows from taken;
  return v_rows;
end
$$;
comment on function private.fold_journey_stats(integer) is
  'Adds up to p_limit additions to the figures of journeys, and returns the number added.';

create or replace function private.journey_counts(p_workspace_id uuid, p_journey_ids uuid[])
returns table (
  journey_id uuid, active_runs bigint, entered bigint, held_out bigint, reached_goal bigint, failed bigint
)
language sql
stable
-- Definer: callers may not read additions that are not folded yet.
security definer
set search_path = ''
as $$
  select
    i.id, coalesce(t.entered - t.exited, 0)::bigint, coalesce(t.entered, 0)::bigint,
    coalesce(t.held_out, 0)::bigint, coalesce(t.reached_goal, 0)::bigint, coalesce(t.failed, 0)::bigint
  from unnest(p_journey_ids) as i (id)
  cross join lateral (
    select
      coalesce(sum(c.count) filter (where c.kind = 'entered'), 0) as entered,
      coalesce(sum(c.count) filter (where c.kind like 'exited:%'), 0) as exited,
      sum(c.count) filter (where c.kind = 'holdout') as held_out,
      sum(c.count) filter (where c.kind = 'goal') as reached_goal,
      sum(c.count) filter (where c.kind = 'exited:failed') as failed
    from (
      select s.kind, s.count from public.journey_stats as s
      where s.workspace_id = p_workspace_id and s.journey_id = i.id and s.step = ''
      union all
      select d.kind, d.count from private.journey_stat_deltas as d
      where d.workspace_id = p_workspace_id and d.journey_id = i.id and d.step = ''
    ) as c
  ) as t
  where private.is_readable(p_workspace_id, array['journeys:read', 'journeys:write'])
$$;
comment on function private.journey_counts(uuid, uuid[]) is 'The number of runs inside each journey, and of all versions those that entered, were held out, reached the goal and failed.';
grant execute on function private.journey_counts(uuid, uuid[]) to signalpost_user, signalpost_key;

create or replace function private.step_counts(p_workspace_id uuid, p_journey_id uuid)
returns table (version integer, step text, waiting bigint)
language sql
stable
-- Definer: under policies each run would be checked again.
security definer
set search_path = ''
as $$
  select r.version, r.step, count(*)
  from public.journey_runs as r
  where r.workspace_id = p_workspace_id and r.journey_id = p_journey_id and r.state = 'active'
    and private.is_readable(p_workspace_id, array['journeys:read', 'journeys:write'])
  group by r.version, r.step
$$;
comment on function private.step_counts(uuid, uuid) is 'Counts the runs at each step, per version.';
grant execute on function private.step_counts(uuid, uuid) to signalpost_user, signalpost_key;
