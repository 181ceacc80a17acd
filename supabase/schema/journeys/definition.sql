-- Purpose: journeys are created, changed and deleted.
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
  'Raises SP409 if another journey of the workspace has the key.';

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
  'Locks a journey: nobody else changes it, and no fold uses it, until the transaction ends. Returns null if there is none.';

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

create or replace function private.draft_revision(p_definition jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select md5(p_definition::text)
$$;
comment on function private.draft_revision(jsonb) is
  'The name of one content of a draft: two drafts with the same steps have the same.';
grant execute on function private.draft_revision(jsonb) to signalpost_user, signalpost_key;

create or replace function private.change_journey(p_workspace_id uuid, p_journey_id uuid, p_changes jsonb)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_definition jsonb;
begin
  perform private.refuse_journey_key(p_workspace_id, p_journey_id, p_changes ->> 'key');
  select j.definition into v_definition
  from public.journeys as j
  where j.workspace_id = p_workspace_id and j.id = p_journey_id
  for no key update;
  -- A call that is repeated after a lost response changes nothing.
  if p_changes ->> 'draft_revision' <> private.draft_revision(v_definition)
    and (p_changes -> 'definition') is distinct from v_definition
  then
    raise sqlstate 'SP409' using message = 'Cannot change journey: its draft has changed since it was read';
  end if;
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
  'Creates a draft from {key?, name, description?, definition} and returns its id. Raises SP409 if the key is in use, and SPLIM over the limit of the plan.';
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
  'Updates the key, name, description or draft of a journey. Fields that are left out do not change. Raises SP409 if draft_revision names another draft. Returns false if there is no such journey.';
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
  'Creates the journey with a key, or replaces all its fields that callers write. Returns its id, and true if it is new.';
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
  elsif exists (
    select from public.segments as s
    where s.workspace_id = p_workspace_id
      and jsonb_path_exists(s.condition, '$.**.journey ? (@ == $id)', jsonb_build_object('id', p_journey_id))
  ) then
    raise sqlstate 'SP409' using message = 'Cannot delete journey: a segment depends on it';
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
  'Deletes a journey. Its runs stay until they expire. Returns false if the journey does not exist. Raises SP409 while customers are inside or a segment depends on it.';
grant execute on function private.delete_journey(uuid, uuid) to signalpost_user, signalpost_key;
