-- Purpose: segments are created, changed and deleted.
-- Locks:   the lane of the workspace: a fold waits, ingest does not.

create or replace function private.start_computing(p_workspace_id uuid, p_segment_id uuid, p_condition jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_version integer;
begin
  perform private.refuse_circle(p_workspace_id, p_segment_id, p_condition);
  -- Raises SP400 for what cannot be compiled.
  perform private.compile_condition(private.stored_scope(p_workspace_id), p_condition);
  perform private.write_parts(p_workspace_id, p_segment_id, p_condition);
  update public.segments as s
  set
    condition = p_condition, state = 'computing', progress = 0, computed_members = 0,
    computed_version = s.computed_version + 1, level = 0, is_growing = private.is_growing(p_condition),
    updated_at = case when s.condition = p_condition then s.updated_at else clock_timestamp() end
  where s.workspace_id = p_workspace_id and s.id = p_segment_id
  returning s.computed_version into v_version;
  perform private.set_levels(p_workspace_id);
  insert into private.segment_jobs as j (workspace_id, segment_id, version, phase)
  values (p_workspace_id, p_segment_id, v_version, 'features')
  on conflict (workspace_id, segment_id) do update
  set version = excluded.version, phase = 'features', cursor = excluded.cursor, done = 0, total = 0;
  perform pg_notify('segments', '');
end
$$;
comment on function private.start_computing(uuid, uuid, jsonb) is
  'Gives a segment a condition. A job computes its members, and until then the old members count.';

create or replace function private.compute_again(p_workspace_id uuid, p_segment_ids uuid[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_segment public.segments;
begin
  if cardinality(p_segment_ids) = 0 then
    return;
  end if;
  perform private.lock_segment_lane(p_workspace_id);
  for v_segment in
    select s.* from public.segments as s
    where s.workspace_id = p_workspace_id and s.id = any (p_segment_ids)
    order by s.id
  loop
    perform private.start_computing(p_workspace_id, v_segment.id, v_segment.condition);
  end loop;
end
$$;
comment on function private.compute_again(uuid, uuid[]) is
  'Makes a job compute the members of segments whose conditions mean something else now. Until then, the old members count.';

create or replace function private.refuse_used_key(p_workspace_id uuid, p_segment_id uuid, p_key text)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if exists (
    select from public.segments as s
    where s.workspace_id = p_workspace_id and s.key = p_key and s.id <> p_segment_id
  ) then
    raise sqlstate 'SP409' using
      message = format('Another segment has the key "%s"', p_key), column = 'key';
  end if;
end
$$;
comment on function private.refuse_used_key(uuid, uuid, text) is
  'Raises SP409 if another segment of the workspace has the key.';

create or replace function private.insert_segment(p_workspace_id uuid, p_segment jsonb)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_id uuid := coalesce((p_segment ->> 'id')::uuid, private.uuid_v7());
  v_is_live boolean := coalesce(p_segment ->> 'kind', 'live') = 'live';
  v_condition jsonb;
begin
  perform private.lock_segment_lane(p_workspace_id);
  perform private.refuse_used_key(p_workspace_id, v_id, p_segment ->> 'key');
  if v_is_live then
    v_condition := private.resolve_condition(p_workspace_id, p_segment -> 'condition');
  end if;
  insert into public.segments (workspace_id, id, key, name, description, kind, condition)
  values (
    p_workspace_id, v_id, p_segment ->> 'key', p_segment ->> 'name', p_segment ->> 'description',
    case when v_is_live then 'live' else 'static' end, v_condition
  );
  if v_is_live then
    perform private.start_computing(p_workspace_id, v_id, v_condition);
  end if;
  return v_id;
end
$$;
comment on function private.insert_segment(uuid, jsonb) is 'Creates a segment, see private.create_segment.';

create or replace function private.change_segment(p_workspace_id uuid, p_segment_id uuid, p_changes jsonb)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_segment public.segments;
  v_condition jsonb;
begin
  perform private.lock_segment_lane(p_workspace_id);
  select s.* into v_segment
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.id = p_segment_id
  for no key update;
  if not found then
    return false;
  end if;
  perform private.refuse_used_key(p_workspace_id, p_segment_id, p_changes ->> 'key');
  update public.segments as s
  set
    key = case when p_changes ? 'key' then p_changes ->> 'key' else s.key end,
    name = coalesce(p_changes ->> 'name', s.name),
    description = case when p_changes ? 'description' then p_changes ->> 'description' else s.description end,
    updated_at = clock_timestamp()
  where s.workspace_id = p_workspace_id and s.id = p_segment_id;
  if coalesce(p_changes -> 'condition', 'null') <> 'null' then
    if v_segment.kind = 'static' then
      raise sqlstate 'SP409' using
        message = 'A static segment has no condition', column = 'condition';
    end if;
    v_condition := private.resolve_condition(p_workspace_id, p_changes -> 'condition');
    if v_condition <> v_segment.condition then
      perform private.start_computing(p_workspace_id, p_segment_id, v_condition);
    end if;
  end if;
  return true;
end
$$;
comment on function private.change_segment(uuid, uuid, jsonb) is 'Changes a segment, see private.update_segment.';

create or replace function private.create_segment(p_workspace_id uuid, p_segment jsonb)
returns uuid
language plpgsql
volatile
-- Definer: callers may not write the tables, which must agree with each other.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  return private.insert_segment(p_workspace_id, p_segment);
end
$$;
comment on function private.create_segment(uuid, jsonb) is
  'Creates a segment from {id?, key?, name, description?, kind?, condition?} and returns its id. Raises SP400 for a condition that cannot be used, SP409 if the key is in use, and SPLIM over the limit of the plan.';
grant execute on function private.create_segment(uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.update_segment(p_workspace_id uuid, p_segment_id uuid, p_changes jsonb)
returns boolean
language plpgsql
volatile
-- Definer: as for private.create_segment.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  return private.change_segment(p_workspace_id, p_segment_id, p_changes);
end
$$;
comment on function private.update_segment(uuid, uuid, jsonb) is
  'Changes key, name, description or condition of a segment. Omitted fields keep their value. A job computes a new condition. Returns false if the segment does not exist.';
grant execute on function private.update_segment(uuid, uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.put_segment(
  p_workspace_id uuid,
  p_key text,
  p_segment jsonb,
  out id uuid,
  out is_created boolean
)
language plpgsql
volatile
-- Definer: as for private.create_segment.
security definer
set search_path = ''
as $$
declare
  v_kind text;
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  perform private.lock_segment_lane(p_workspace_id);
  select s.id, s.kind into put_segment.id, v_kind
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.key = p_key;
  is_created := not found;
  if is_created then
    put_segment.id := private.insert_segment(p_workspace_id, p_segment || jsonb_build_object('key', p_key));
    return;
  elsif v_kind <> coalesce(p_segment ->> 'kind', 'live') then
    raise sqlstate 'SP409' using message = 'The kind of a segment cannot be changed', column = 'kind';
  end if;
  perform private.change_segment(
    p_workspace_id, put_segment.id,
    jsonb_build_object('description', null) || (p_segment - 'id') || jsonb_build_object('key', p_key)
  );
end
$$;
comment on function private.put_segment(uuid, text, jsonb) is
  'Creates the segment with a key, or replaces all its fields that callers write. Returns its id, and true if it is new.';
grant execute on function private.put_segment(uuid, text, jsonb) to signalpost_user, signalpost_key;

create or replace function private.delete_segment(p_workspace_id uuid, p_segment_id uuid)
returns boolean
language plpgsql
volatile
-- Definer: as for private.create_segment.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  perform private.lock_segment_lane(p_workspace_id);
  if exists (
    select from private.segment_parts as p
    where p.workspace_id = p_workspace_id and p.kind = 'segment' and p.ref = p_segment_id::text
  ) then
    raise sqlstate 'SP409' using message = 'Cannot delete segment: another segment depends on it';
  end if;
  perform private.refuse_campaign_use(p_workspace_id, 'segment', p_segment_id);
  delete from public.segments as s where s.workspace_id = p_workspace_id and s.id = p_segment_id;
  if not found then
    return false;
  end if;
  delete from private.segment_parts as p
  where p.workspace_id = p_workspace_id and p.segment_id = p_segment_id;
  delete from private.segment_nodes as n
  where n.workspace_id = p_workspace_id and n.segment_id = p_segment_id;
  perform private.drop_unused_features(p_workspace_id);
  insert into private.segment_jobs (workspace_id, segment_id, version, phase)
  values (p_workspace_id, p_segment_id, 0, 'cleanup')
  on conflict (workspace_id, segment_id) do update set phase = 'cleanup';
  return true;
end
$$;
comment on function private.delete_segment(uuid, uuid) is
  'Deletes a segment and leaves its members to a job. Returns false if the segment does not exist. Raises SP409 while another segment or a campaign depends on it.';
grant execute on function private.delete_segment(uuid, uuid) to signalpost_user, signalpost_key;

create or replace function private.refuse_used_topic(p_workspace_id uuid, p_topic_id uuid)
returns void
language plpgsql
volatile
-- Definer: callers may not read what segments depend on.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'topics:write');
  -- No segment is written until the caller's transaction has deleted the topic.
  perform private.lock_segment_lane(p_workspace_id);
  if exists (
    select from private.segment_parts as p
    where p.workspace_id = p_workspace_id and p.kind = 'topic' and p.ref = p_topic_id::text
  ) then
    raise sqlstate 'SP409' using message = 'Cannot delete topic: a segment depends on it';
  end if;
  perform private.refuse_campaign_use(p_workspace_id, 'topic', p_topic_id);
end
$$;
comment on function private.refuse_used_topic(uuid, uuid) is
  'Raises SP409 if a segment or a campaign depends on the topic.';
grant execute on function private.refuse_used_topic(uuid, uuid) to signalpost_user, signalpost_key;
