-- Purpose: journeys are published, paused, resumed, drained and stopped; customers enter by the api.
-- Locks:   the lane of the workspace's fold, then the row of the journey.

create or replace function private.publish_journey(p_workspace_id uuid, p_journey_id uuid, p_options jsonb)
returns integer
language plpgsql
volatile
-- Definer: as for private.create_journey.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  return private.make_version(p_workspace_id, p_journey_id, p_options);
end
$$;
comment on function private.publish_journey(uuid, uuid, jsonb) is
  'Creates a version from {definition, inside?, published_by?}, with ids instead of keys, and lets customers enter it. Returns its number. Raises SP409 if the journey ends or has ended.';
grant execute on function private.publish_journey(uuid, uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.make_version(p_workspace_id uuid, p_journey_id uuid, p_options jsonb)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_journey public.journeys;
  v_version public.journey_versions;
begin
  -- Before the journey: a call that lets a customer enter locks it after the workspace.
  perform private.follow_journey(p_workspace_id, p_options -> 'definition');
  v_journey := private.lock_journey(p_workspace_id, p_journey_id);
  if v_journey.id is null then
    raise sqlstate 'SP404' using message = 'Journey does not exist';
  elsif v_journey.state in ('draining', 'stopped') then
    raise sqlstate 'SP409' using message = format('Cannot publish journey: it is %s', v_journey.state);
  end if;
  insert into public.journey_versions (workspace_id, journey_id, version, definition, plan, published_at, published_by)
  values (
    p_workspace_id, p_journey_id, coalesce(v_journey.version, 0) + 1, p_options -> 'definition',
    private.plan_journey(p_options -> 'definition'), clock_timestamp(), (p_options ->> 'published_by')::uuid
  )
  returning * into v_version;
  update public.journeys as j
  set
    version = v_version.version, published_at = v_version.published_at, updated_at = v_version.published_at,
    state = case when j.state = 'draft' then 'running' else j.state end
  where j.workspace_id = p_workspace_id and j.id = p_journey_id;
  insert into private.journey_lanes (workspace_id, journey_id) values (p_workspace_id, p_journey_id)
  on conflict do nothing;
  perform private.write_interests(v_version);
  perform private.start_journey_jobs(v_version, p_options);
  return v_version.version;
end
$$;
comment on function private.make_version(uuid, uuid, jsonb) is 'Publishes a journey, see private.publish_journey.';

create or replace function private.start_journey_jobs(p_version public.journey_versions, p_options jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- The runs that an earlier publication moves, or failed to move, go to this version.
  delete from private.journey_jobs as j
  where j.workspace_id = p_version.workspace_id and j.journey_id = p_version.journey_id
    and j.kind = 'move' and p_options ->> 'inside' = 'move';
  insert into private.journey_jobs (workspace_id, journey_id, kind, version)
  select p_version.workspace_id, p_version.journey_id, k.kind, p_version.version
  from (
    values
      ('include', coalesce((p_version.definition #>> '{entry,include_current}')::boolean, false)
        and p_version.definition -> 'trigger' ? 'segment'),
      ('dates', p_version.definition -> 'trigger' ? 'date'),
      ('move', p_version.version > 1 and p_options ->> 'inside' = 'move')
  ) as k (kind, is_due)
  where k.is_due;
  if found then
    perform private.wake_worker('automation');
  end if;
end
$$;
comment on function private.start_journey_jobs(public.journey_versions, jsonb) is
  'Notes the work that a new version makes: members who enter, dates, runs that move along.';

create or replace function private.set_journey_state(
  p_workspace_id uuid,
  p_journey_id uuid,
  p_state text,
  p_options jsonb default '{}'
)
returns boolean
language plpgsql
volatile
-- Definer: as for private.create_journey.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  return private.change_journey_state(p_workspace_id, p_journey_id, p_state, p_options);
end
$$;
comment on function private.set_journey_state(uuid, uuid, text, jsonb) is
  'Changes the state of a journey to running, paused, draining or stopped. {late: "skip"} skips what fell due during a pause. Returns false if the journey does not exist. Raises SP409 for a change that is not possible.';
grant execute on function private.set_journey_state(uuid, uuid, text, jsonb) to signalpost_user, signalpost_key;

create or replace function private.change_journey_jobs(p_journey public.journeys, p_state text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- Before lanes and runs, as the jobs themselves lock them.
  delete from private.journey_jobs as b
  where b.workspace_id = p_journey.workspace_id and b.journey_id = p_journey.id
    and (b.kind = 'pass_by' or p_state = 'stopped');
  if p_state = 'running' then
    update private.journey_jobs as b set due_at = '-infinity'
    where b.workspace_id = p_journey.workspace_id and b.journey_id = p_journey.id and b.kind = 'include';
    -- A journey that was drained may have been forgotten.
    perform private.write_interests(v)
    from public.journey_versions as v
    where v.workspace_id = p_journey.workspace_id and v.journey_id = p_journey.id
      and v.version = p_journey.version;
  end if;
end
$$;
comment on function private.change_journey_jobs(public.journeys, text) is
  'Ends or wakes the work that a change of the state concerns; a journey that runs again depends on its changes again.';

create or replace function private.change_journey_state(
  p_workspace_id uuid,
  p_journey_id uuid,
  p_state text,
  p_options jsonb
)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_journey public.journeys;
begin
  v_journey := private.lock_journey(p_workspace_id, p_journey_id);
  if v_journey.id is null then
    return false;
  elsif v_journey.state = p_state then
    return true;
  elsif not (case p_state
    when 'running' then v_journey.state in ('paused', 'draining')
    when 'paused' then v_journey.state in ('running', 'draining')
    when 'draining' then v_journey.state in ('running', 'paused')
    when 'stopped' then v_journey.state in ('running', 'paused', 'draining')
    else false
  end) then
    raise sqlstate 'SP409' using
      message = format('Cannot change the state of the journey from "%s" to "%s"', v_journey.state, p_state);
  end if;
  update public.journeys as j set state = p_state, updated_at = clock_timestamp()
  where j.workspace_id = p_workspace_id and j.id = p_journey_id;
  perform private.change_journey_jobs(v_journey, p_state);
  update private.journey_lanes as l
  -- With late: skip, the job opens it.
  set is_open = p_state in ('running', 'draining') and p_options ->> 'late' is distinct from 'skip'
  where l.workspace_id = p_workspace_id and l.journey_id = p_journey_id;
  if p_state in ('paused', 'stopped') then
    -- A worker that holds one records nothing.
    update public.journey_runs as r set claim = null, lease_until = null
    where r.workspace_id = p_workspace_id and r.journey_id = p_journey_id and r.claim is not null;
    perform private.announce_runs(
      p_workspace_id, jsonb_build_array(jsonb_build_array(p_journey_id, v_journey.created_at)), clock_timestamp()
    );
  end if;
  if p_state = 'stopped' or (v_journey.state = 'paused' and p_options ->> 'late' = 'skip') then
    insert into private.journey_jobs (workspace_id, journey_id, kind, version)
    values (
      p_workspace_id, p_journey_id, case p_state when 'stopped' then 'stop' else 'pass_by' end, v_journey.version
    );
  end if;
  perform private.wake_worker('automation');
  return true;
end
$$;
comment on function private.change_journey_state(uuid, uuid, text, jsonb) is
  'Changes the state of a journey, see private.set_journey_state.';

create or replace function private.enter_journey(p_workspace_id uuid, p_journey_id uuid, p_entry jsonb)
returns jsonb
language plpgsql
volatile
-- Definer: as for private.create_journey.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'journeys:write');
  return private.enter_customer(p_workspace_id, p_journey_id, p_entry, clock_timestamp());
end
$$;
comment on function private.enter_journey(uuid, uuid, jsonb) is
  'Lets a customer {customer_id, data?} enter a running journey. Returns {run_id}, or {entered: false, reason}. Raises SP404 for an unknown journey or customer.';
grant execute on function private.enter_journey(uuid, uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.enter_customer(
  p_workspace_id uuid,
  p_journey_id uuid,
  p_entry jsonb,
  p_now timestamptz
)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_journey public.journeys;
  v_now timestamptz := date_trunc('milliseconds', p_now);
  v_result record;
begin
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  select j.* into v_journey
  from public.journeys as j
  where j.workspace_id = p_workspace_id and j.id = p_journey_id
  for share;
  if not found then
    raise sqlstate 'SP404' using message = 'Journey does not exist';
  elsif not exists (
    select from public.customers as c
    where c.workspace_id = p_workspace_id and c.id = (p_entry ->> 'customer_id')::uuid
  ) then
    raise sqlstate 'SP404' using message = 'Customer does not exist', column = 'customer_id';
  elsif v_journey.state <> 'running' then
    return '{"entered": false, "reason": "not_running"}';
  end if;
  select e.run_id, e.reason into v_result
  from private.enter_runs(p_workspace_id, array[row(
    p_journey_id, v_journey.version, (p_entry ->> 'customer_id')::uuid, v_now, null,
    coalesce(p_entry -> 'data', '{}'), '{"api": true}', 0
  )::private.journey_entry], v_now) as e;
  if v_result.reason is null then
    return jsonb_build_object('run_id', v_result.run_id);
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'entered', false, 'reason', v_result.reason, 'run_id', v_result.run_id
  ));
end
$$;
comment on function private.enter_customer(uuid, uuid, jsonb, timestamptz) is
  'Lets a customer enter a journey: see private.enter_journey.';
