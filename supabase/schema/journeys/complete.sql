-- Purpose: records and does what a worker decided about runs, all in one transaction.
-- Locks:   the workspaces (shared, advisory) and customers of updates, then runs by id.
-- Risk:    a result without its claim does nothing: the run was moved, ended or given to
--          another worker.

create or replace function private.hold_runs(p_results jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_changed jsonb := (
    select jsonb_agg(distinct jsonb_build_array(r -> 'workspace_id', r -> 'customer_id'))
    from jsonb_array_elements(p_results) as r
    where jsonb_path_exists(r, '$.moves[*].effect.update')
  );
begin
  if v_changed is not null then
    perform pg_advisory_xact_lock_shared(private.workspace_lock(w.id))
    from (select distinct (c ->> 0)::uuid as id from jsonb_array_elements(v_changed) as c order by 1) as w;
    perform
    from (
      select (c ->> 0)::uuid as workspace_id, (c ->> 1)::uuid as id from jsonb_array_elements(v_changed) as c
      order by 2
    ) as k
    cross join lateral (
      select from public.customers as c where c.workspace_id = k.workspace_id and c.id = k.id for update
    ) as c;
  end if;
  return coalesce((
    select jsonb_agg(h.result || jsonb_build_object(
      'customer_id', h.customer_id, 'depth', h.depth, 'trigger', h.trigger
    ))
    from (
      select n.result, r.customer_id, r.depth, r.trigger
      from (
        select e.value as result, (e.value ->> 'workspace_id')::uuid as workspace_id,
          (e.value ->> 'run_id')::uuid as run_id, (e.value ->> 'claim')::uuid as claim
        from jsonb_array_elements(p_results) as e
        order by 3
      ) as n
      cross join lateral (
        -- By its key alone: with the claim, a plan may read all claimed runs for each of them.
        select k.customer_id, k.depth, k.trigger, k.claim, k.state
        from public.journey_runs as k
        where k.workspace_id = n.workspace_id and k.id = n.run_id
        for update
      ) as r
      where r.claim = n.claim and r.state = 'active'
        -- One that moves to another cell is moved on there, when the claim has expired.
        and not exists (
          select from pg_catalog.pg_trigger as t
          where t.tgrelid = 'public.journey_runs'::regclass and t.tgname = private.fence_name(n.workspace_id)
        )
    ) as h
  ), '[]');
end
$$;
comment on function private.hold_runs(jsonb) is
  'Locks the runs whose claims are still valid and returns their results, each with customer_id, depth and trigger.';

create or replace function private.list_effects(p_held jsonb, p_kind text)
returns table (
  workspace_id uuid, run_id uuid, visit integer, journey_id uuid, version integer, step text,
  customer_id uuid, depth smallint, trigger jsonb, effect jsonb, at timestamptz, entered_at timestamptz
)
language sql
stable
security invoker
set search_path = ''
as $$
  select
    (h ->> 'workspace_id')::uuid, (h ->> 'run_id')::uuid, (m ->> 'visit')::integer, (h ->> 'journey_id')::uuid,
    (h ->> 'version')::integer, m ->> 'step', (h ->> 'customer_id')::uuid, (h ->> 'depth')::smallint,
    h -> 'trigger', m -> 'effect' -> p_kind, (m ->> 'at')::timestamptz, (h ->> 'entered_at')::timestamptz
  from jsonb_array_elements(p_held) as h
  cross join lateral jsonb_array_elements(h -> 'moves') as m
  where m -> 'effect' ? p_kind
  order by 1, 7, 3
$$;
comment on function private.list_effects(jsonb, text) is 'The effects of a kind that moves have: send, update or webhook.';

create or replace function private.apply_updates(p_held jsonb, p_now timestamptz)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_update record;
  v_changed text[];
  v_changes private.customer_change[] := '{}';
  v_outcomes jsonb := '{}';
  v_outcome jsonb;
  v_subscriptions private.subscription[];
begin
  for v_update in select e.* from private.list_effects(p_held, 'update') as e loop
    v_outcome := '{}';
    begin
      v_changed := private.change_profile(
        v_update.workspace_id, v_update.customer_id, v_update.effect -> 'profile',
        v_update.effect -> 'attributes', p_now
      );
    exception
      when sqlstate 'SP413' then
        v_changed := '{}';
        v_outcome := '{"skipped": "too_large"}';
      when no_data_found then
        v_changed := '{}';
        v_outcome := '{"skipped": "unknown_customer"}';
    end;
    if cardinality(v_changed) > 0 then
      v_outcome := jsonb_build_object('changed', v_changed) || case
        when v_update.depth >= private.depth_limit() then '{"depth_limit": true}' else '{}'
      end::jsonb;
      v_changes := v_changes || row(
        v_update.workspace_id, v_update.customer_id, cardinality(v_changes) + 1, false, null, v_changed
      )::private.customer_change;
      insert into private.signals (workspace_id, kind, customer_id, depth)
      values (v_update.workspace_id, 'profile', v_update.customer_id, v_update.depth + 1);
    end if;
    v_outcomes := v_outcomes || jsonb_build_object(v_update.run_id || ':' || v_update.visit, v_outcome);
  end loop;
  if cardinality(v_changes) > 0 then
    perform private.wake_folder();
    v_subscriptions := private.customer_subscriptions(array(select distinct c.workspace_id from unnest(v_changes) as c));
    perform private.store_messages(private.customer_messages(v_changes, v_subscriptions), v_subscriptions, p_now);
  end if;
  return v_outcomes;
end
$$;
comment on function private.apply_updates(jsonb, timestamptz) is
  'Changes the profiles of customers as update steps say, and notes it for the fold with the depth of the cause. Returns what to add to the outcomes, by "<run>:<visit>".';

create or replace function private.publish_webhooks(p_held jsonb, p_now timestamptz)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_outcomes jsonb;
begin
  select jsonb_object_agg(e.run_id || ':' || e.visit, '{"skipped": "destination_deleted"}'::jsonb) into v_outcomes
  from private.list_effects(p_held, 'webhook') as e
  where not exists (
    select from public.destinations as d
    where d.workspace_id = e.workspace_id and d.id::text = e.effect ->> 'destination'
  );
  perform private.store_messages(array(
    select row(
      e.workspace_id, 'journey.webhook', jsonb_build_object(
        'journey', jsonb_build_object('id', e.journey_id, 'name', j.name, 'version', e.version),
        'run_id', e.run_id, 'step', e.step, 'customer', c.document, 'data', coalesce(e.effect -> 'data', '{}')
      ), e.customer_id, (e.effect ->> 'destination')::uuid
    )::private.new_message
    from private.list_effects(p_held, 'webhook') as e
    join public.journeys as j on j.workspace_id = e.workspace_id and j.id = e.journey_id
    cross join lateral (
      select d.document from private.customer_documents(e.workspace_id, array[e.customer_id]) as d
    ) as c
    where not coalesce(v_outcomes, '{}') ? (e.run_id || ':' || e.visit)
  ), '{}', p_now);
  return coalesce(v_outcomes, '{}');
end
$$;
comment on function private.publish_webhooks(jsonb, timestamptz) is
  'Queues the messages of webhook steps. Returns what to add to the outcomes, by "<run>:<visit>".';

create or replace function private.create_run_sends(p_held jsonb, p_now timestamptz)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_sends jsonb;
  v_outcomes jsonb;
begin
  select jsonb_agg(jsonb_build_object(
    'workspace_id', e.workspace_id, 'key', format('run:%s:%s', e.run_id, e.visit),
    'template_id', e.effect -> 'template', 'sender_id', e.effect -> 'sender', 'topic_id', e.effect -> 'topic',
    'customer_id', e.customer_id, 'data', e.trigger, 'journey_id', e.journey_id, 'run_id', e.run_id,
    'visit', e.visit, 'step', e.step, 'not_after', e.effect -> 'not_after', 'on_cap', e.effect -> 'on_cap',
    'depth', e.depth + 1
  )) into v_sends
  from private.list_effects(p_held, 'send') as e;
  if v_sends is null then
    return '{}';
  end if;
  select jsonb_object_agg(v_sends -> (s."position" - 1) ->> 'key', s.send_id) into v_outcomes
  from private.create_sends(v_sends, p_now) as s;
  return (
    select jsonb_object_agg(
      e.run_id || ':' || e.visit,
      jsonb_build_object('send_id', v_outcomes -> format('run:%s:%s', e.run_id, e.visit)) || case when e.depth >= private.depth_limit() then '{"depth_limit": true}' else '{}' end::jsonb
    )
    from private.list_effects(p_held, 'send') as e
  );
end
$$;
comment on function private.create_run_sends(jsonb, timestamptz) is
  'Creates the sends of send steps, one per run and visit. Returns what to add to the outcomes, by "<run>:<visit>".';

create or replace function private.log_steps(p_held jsonb, p_outcomes jsonb, p_now timestamptz)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  with moves as materialized (
    select
      (h ->> 'workspace_id')::uuid as workspace_id, (h ->> 'run_id')::uuid as run_id,
      (h ->> 'journey_id')::uuid as journey_id, (h ->> 'version')::integer as version,
      (m ->> 'visit')::integer as visit, m ->> 'step' as step, m ->> 'kind' as kind,
      (m ->> 'at')::timestamptz as at,
      (m -> 'outcome') || coalesce(p_outcomes -> ((h ->> 'run_id') || ':' || (m ->> 'visit')), '{}') as outcome
    from jsonb_array_elements(p_held) as h
    cross join lateral jsonb_array_elements(h -> 'moves') as m
  ),
  logged as (
    insert into public.run_steps (workspace_id, run_id, visit, at, done_at, journey_id, version, step, kind, outcome)
    select m.workspace_id, m.run_id, m.visit, m.at, p_now, m.journey_id, m.version, m.step, m.kind, m.outcome
    from moves as m
  )
  insert into private.journey_stat_deltas (workspace_id, journey_id, version, step, kind, count)
  select c.workspace_id, c.journey_id, c.version, c.step, c.kind, count(*)
  from (
    select m.workspace_id, m.journey_id, m.version, m.step, 'left:' || (m.outcome ->> 'way') as kind from moves as m
    union all
    select m.workspace_id, m.journey_id, m.version, m.step, 'skipped:' || (m.outcome ->> 'skipped')
    from moves as m where m.outcome ->> 'skipped' is not null
    union all
    select m.workspace_id, m.journey_id, m.version, m.outcome ->> 'to', 'came'
    from moves as m where m.outcome ->> 'to' is not null
    union all
    select (h ->> 'workspace_id')::uuid, (h ->> 'journey_id')::uuid, (h ->> 'version')::integer, s.step, 'goal'
    from jsonb_array_elements(p_held) as h
    cross join lateral (values (''), (h ->> 'step')) as s (step)
    where h ->> 'goal_at' is not null
  ) as c
  where c.kind is not null
  group by 1, 2, 3, 4, 5
$$;
comment on function private.log_steps(jsonb, jsonb, timestamptz) is
  'Logs the steps that runs took, with their outcomes, and adds them to the figures.';

create or replace function private.move_runs(p_held jsonb, p_now timestamptz)
returns public.journey_runs[]
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  with moved as (
    update public.journey_runs as r
    set
      state = case when h.end_reason is null then 'active' else 'ended' end,
      reason = h.end_reason,
      exited_at = h.exited_at,
      step = h.step,
      visit = h.visit,
      stepped_at = h.stepped_at,
      stepped_id = h.stepped_id,
      wake_at = case when h.end_reason is null then h.wake_at end,
      due_at = case
        when h.end_reason is not null then 'infinity'
        -- Something happened since the worker read the facts.
        when r.wakes <> h.wakes then least(h.due_at, p_now)
        else coalesce(h.due_at, 'infinity')
      end,
      is_passed_by = h.is_passed_by,
      goal_at = coalesce(r.goal_at, h.goal_at),
      claim = null,
      lease_until = null
    from jsonb_to_recordset(p_held) as h (
      workspace_id uuid, run_id uuid, step text, visit integer, stepped_at timestamptz, stepped_id uuid,
      wake_at timestamptz, due_at timestamptz, is_passed_by boolean, goal_at timestamptz, end_reason text,
      exited_at timestamptz, wakes integer
    )
    where r.workspace_id = h.workspace_id and r.id = h.run_id
    returning r as run
  )
  select coalesce(array_agg(m.run), '{}') from moved as m
$$;
comment on function private.move_runs(jsonb, timestamptz) is
  'Puts runs where the results say, ends their claims, and returns them.';

create or replace function private.complete_runs(p_results text, p_now timestamptz default clock_timestamp())
returns integer
language plpgsql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_now timestamptz := date_trunc('milliseconds', p_now);
  v_held jsonb := private.hold_runs(p_results::jsonb);
  v_runs public.journey_runs[];
  v_workspace_id uuid;
begin
  if v_held = '[]' then
    return 0;
  end if;
  perform private.log_steps(
    v_held,
    private.apply_updates(v_held, v_now) || private.publish_webhooks(v_held, v_now)
      || private.create_run_sends(v_held, v_now),
    v_now
  );
  v_runs := private.move_runs(v_held, v_now);
  -- News that came during the claim woke a run that ends now: it may be the goal.
  perform private.note_goals(array(
    select r
    from unnest(v_runs) as r
    join jsonb_to_recordset(v_held) as h (run_id uuid, wakes integer) on h.run_id = r.id
    where r.state = 'ended' and r.wakes <> h.wakes
  ));
  for v_workspace_id in select distinct r.workspace_id from unnest(v_runs) as r order by 1 loop
    perform private.tell_ends(v_workspace_id, array(
      select r from unnest(v_runs) as r where r.workspace_id = v_workspace_id and r.state = 'ended'
    ), v_now);
    perform private.announce_runs(v_workspace_id, (
      select jsonb_agg(jsonb_build_array(r.journey_id, r.due_at))
      from unnest(v_runs) as r
      where r.workspace_id = v_workspace_id and r.state = 'active'
    ), p_now);
  end loop;
  return cardinality(v_runs);
end
$$;
comment on function private.complete_runs(text, timestamptz) is
  'Records what a worker decided about claimed runs (a JSON list) and does it: steps, sends, updates, webhooks, and where each run is. Ignores results whose claims are gone. Returns the number of claims that ended.';
grant execute on function private.complete_runs(text, timestamptz) to signalpost_automation;
