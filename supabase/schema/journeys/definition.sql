-- Purpose: journeys are created, changed, published, paused, stopped and deleted.
-- Locks:   the lane of the workspace's fold, then the row of the journey.

create or replace function private.refuse_journey_key(p_workspace_id uuid, p_journey_id uuid, p_key text)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if exists (
    select from public.journeys as j
    where j.workspace_id = p_workspace_id and j.key = p_key and j.id <> p_journey_id
  ) then
    raise sqlstate 'SP409' using
      message = format('Another journey has the key "%s"', p_key), column = 'key';
  end if;
end
$$;
comment on function private.refuse_journey_key(uuid, uuid, text) is
  'SP409 when another journey of the workspace has the key.';

create or replace function private.lock_journey(p_workspace_id uuid, p_journey_id uuid)
returns public.journeys
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_journey public.journeys;
begin
  perform private.lock_segment_lane(p_workspace_id);
  select j.* into v_journey
  from public.journeys as j
  where j.workspace_id = p_workspace_id and j.id = p_journey_id
  for update;
  return v_journey;
end
$$;
comment on function private.lock_journey(uuid, uuid) is
  'The journey, which nobody else changes and no fold uses until the transaction ends; null if there is none.';

create or replace function private.insert_journey(p_workspace_id uuid, p_journey jsonb)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_id uuid := private.uuid_v7();
begin
  perform private.refuse_journey_key(p_workspace_id, v_id, p_journey ->> 'key');
  insert into public.journeys (workspace_id, id, key, name, description, definition)
  values (
    p_workspace_id, v_id, p_journey ->> 'key', p_journey ->> 'name', p_journey ->> 'description',
    p_journey -> 'definition'
  );
  return v_id;
end
$$;
comment on function private.insert_journey(uuid, jsonb) is 'Creates a journey, see private.create_journey.';

create or replace function private.change_journey(p_workspace_id uuid, p_journey_id uuid, p_changes jsonb)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform private.refuse_journey_key(p_workspace_id, p_journey_id, p_changes ->> 'key');
  update public.journeys as j
  set
    key = case when p_changes ? 'key' then p_changes ->> 'key' else j.key end,
    name = coalesce(p_changes ->> 'name', j.name),
    description = case when p_changes ? 'description' then p_changes ->> 'description' else j.description end,
    definition = coalesce(p_changes -> 'definition', j.definition),
    updated_at = clock_timestamp()
  where j.workspace_id = p_workspace_id and j.id = p_journey_id;
  return found;
end
$$;
comment on function private.change_journey(uuid, uuid, jsonb) is 'Changes a journey, see private.update_journey.';

create or replace function private.create_journey(p_workspace_id uuid, p_journey jsonb)
returns uuid
language plpgsql
volatile
-- Definer: callers may not write the tables, which must agree with each other.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  return private.insert_journey(p_workspace_id, p_journey);
end
$$;
comment on function private.create_journey(uuid, jsonb) is
  'Creates a draft of {key?, name, description?, definition} and returns its id; SP409 for a key in use, SPLIM over the limit of the plan.';
grant execute on function private.create_journey(uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.update_journey(p_workspace_id uuid, p_journey_id uuid, p_changes jsonb)
returns boolean
language plpgsql
volatile
-- Definer: as for private.create_journey.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  return private.change_journey(p_workspace_id, p_journey_id, p_changes);
end
$$;
comment on function private.update_journey(uuid, uuid, jsonb) is
  'Changes key, name, description or the draft of a journey; fields left out stay. Returns false if the journey does not exist.';
grant execute on function private.update_journey(uuid, uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.put_journey(
  p_workspace_id uuid,
  p_key text,
  p_journey jsonb,
  out id uuid,
  out is_created boolean
)
language plpgsql
volatile
-- Definer: as for private.create_journey.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  -- Two calls with one new key: the second finds what the first created.
  perform private.lock_segment_lane(p_workspace_id);
  select j.id into put_journey.id
  from public.journeys as j
  where j.workspace_id = p_workspace_id and j.key = p_key;
  is_created := not found;
  if is_created then
    put_journey.id := private.insert_journey(p_workspace_id, p_journey || jsonb_build_object('key', p_key));
  else
    perform private.change_journey(
      p_workspace_id, put_journey.id,
      jsonb_build_object('description', null) || (p_journey - 'id') || jsonb_build_object('key', p_key)
    );
  end if;
end
$$;
comment on function private.put_journey(uuid, text, jsonb) is
  'Creates the journey with a key, or replaces all that callers write of it; returns its id and whether it is new.';
grant execute on function private.put_journey(uuid, text, jsonb) to signalpost_user, signalpost_key;

create or replace function private.delete_journey(p_workspace_id uuid, p_journey_id uuid)
returns boolean
language plpgsql
volatile
-- Definer: as for private.create_journey.
security definer
set search_path = ''
as $$
declare
  v_journey public.journeys;
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
  v_journey := private.lock_journey(p_workspace_id, p_journey_id);
  if v_journey.id is null then
    return false;
  elsif exists (
    select from public.journey_runs as r
    where r.workspace_id = p_workspace_id and r.journey_id = p_journey_id and r.state = 'active'
  ) then
    raise sqlstate 'SP409' using message = 'Cannot delete journey: customers are inside, stop it first';
  end if;
  delete from public.journeys as j where j.workspace_id = p_workspace_id and j.id = p_journey_id;
  delete from private.journey_interests as i where i.workspace_id = p_workspace_id and i.journey_id = p_journey_id;
  delete from private.journey_lanes as l where l.workspace_id = p_workspace_id and l.journey_id = p_journey_id;
  delete from private.journey_jobs as b where b.workspace_id = p_workspace_id and b.journey_id = p_journey_id;
  delete from private.journey_dates as d where d.workspace_id = p_workspace_id and d.journey_id = p_journey_id;
  delete from private.journey_entries as e where e.workspace_id = p_workspace_id and e.journey_id = p_journey_id;
  delete from public.journey_stats as s where s.workspace_id = p_workspace_id and s.journey_id = p_journey_id;
  perform private.drop_unused_features(p_workspace_id);
  return true;
end
$$;
comment on function private.delete_journey(uuid, uuid) is
  'Deletes a journey; its runs stay until they expire. SP409 while customers are inside. Returns false if the journey does not exist.';
grant execute on function private.delete_journey(uuid, uuid) to signalpost_user, signalpost_key;

create or replace function private.publish_journey(p_workspace_id uuid, p_journey_id uuid, p_options jsonb)
returns integer
language plpgsql
volatile
-- Definer: as for private.create_journey.
security definer
set search_path = ''
as $$
declare
  v_journey public.journeys;
  v_version public.journey_versions;
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
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
comment on function private.publish_journey(uuid, uuid, jsonb) is
  'Makes a version of {definition, inside?, published_by?}, with ids instead of keys, and lets customers enter it; returns its number. SP409 when the journey ends or has ended.';
grant execute on function private.publish_journey(uuid, uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.start_journey_jobs(p_version public.journey_versions, p_options jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
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
    perform private.wake_automation();
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
declare
  v_journey public.journeys;
begin
  perform private.require_writer(p_workspace_id, 'admin', 'journeys:write');
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
  perform private.wake_automation();
  return true;
end
$$;
comment on function private.set_journey_state(uuid, uuid, text, jsonb) is
  'Moves a journey to running, paused, draining or stopped; {late: "skip"} passes by what fell due during a pause. SP409 for a change that does not exist; false if the journey does not exist.';
grant execute on function private.set_journey_state(uuid, uuid, text, jsonb) to signalpost_user, signalpost_key;

create or replace function private.enter_journey(p_workspace_id uuid, p_journey_id uuid, p_entry jsonb)
returns jsonb
language plpgsql
volatile
-- Definer: as for private.create_journey.
security definer
set search_path = ''
as $$
declare
  v_journey public.journeys;
  v_now timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_result record;
begin
  perform private.require_writer(p_workspace_id, 'member', 'journeys:write');
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
comment on function private.enter_journey(uuid, uuid, jsonb) is
  'Has a customer {customer_id, data?} enter a running journey: {run_id}, or {entered: false, reason}. SP404 for an unknown journey or customer.';
grant execute on function private.enter_journey(uuid, uuid, jsonb) to signalpost_user, signalpost_key;
