-- Purpose: what live segments depend on: features of events, fields, other segments, topics.
-- Locks:   the caller holds the lane of the workspace; then the workspace (advisory), to be followed.

create or replace function private.lock_segment_lane(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into private.segment_lanes (workspace_id) values (p_workspace_id) on conflict do nothing;
  perform from private.segment_lanes as l where l.workspace_id = p_workspace_id for update;
end
$$;
comment on function private.lock_segment_lane(uuid) is
  'Waits until nobody folds the workspace, and keeps others from it until the transaction ends.';

create or replace function private.keep_class(p_keep integer)
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  -- Thresholds up to 15 can be edited without reading history.
  select case when p_keep <= 16 then 16 else 101 end
$$;
comment on function private.keep_class(integer) is
  'Number of times that a feature keeps per identity for a leaf that needs p_keep of them.';

create or replace function private.leaf_hash(p_leaf jsonb)
returns bytea
language sql
immutable
security invoker
set search_path = ''
as $$
  select private.feature_hash(
    private.leaf_feature(p_leaf) || jsonb_build_object('keep', private.keep_class(private.leaf_keep(p_leaf)))
  )
$$;
comment on function private.leaf_hash(jsonb) is 'The key of the feature that holds the state of an event leaf.';

create or replace function private.add_features(p_workspace_id uuid, p_condition jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into private.features (
    workspace_id, hash, event, conditions, since, until, property, keep, state
  )
  select distinct on (private.leaf_hash(l.leaf))
    p_workspace_id, private.leaf_hash(l.leaf), l.leaf ->> 'event', f.feature -> 'conditions',
    private.read_time(f.feature -> 'since'), private.read_time(f.feature -> 'until'),
    string_to_array(f.feature ->> 'property', '.'), private.keep_class(private.leaf_keep(l.leaf)),
    'building'
  from private.condition_leaves(p_condition) as l
  cross join lateral (select private.leaf_feature(l.leaf) as feature) as f
  where l.leaf ? 'event'
  on conflict on constraint features_workspace_id_hash_key do nothing;
  insert into private.event_interests (workspace_id, event)
  select distinct p_workspace_id, l.leaf ->> 'event'
  from private.condition_leaves(p_condition) as l
  where l.leaf ? 'event'
  on conflict do nothing;
end
$$;
comment on function private.add_features(uuid, jsonb) is
  'Creates the features of a condition that do not exist yet; ingest notes their events from the end of this transaction.';

create or replace function private.write_parts(p_workspace_id uuid, p_segment_id uuid, p_condition jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- A customer without events matches no other condition.
  if not private.is_growing(p_condition)
    or exists (select from private.condition_leaves(p_condition) as l where not l.leaf ? 'event') then
    perform private.follow_customers(p_workspace_id);
  end if;
  perform private.add_features(p_workspace_id, p_condition);
  delete from private.segment_parts as p
  where p.workspace_id = p_workspace_id and p.segment_id = p_segment_id;
  insert into private.segment_parts (workspace_id, segment_id, kind, ref)
  select distinct p_workspace_id, p_segment_id, p.kind, p.ref
  from private.condition_leaves(p_condition) as l
  left join private.features as f
    on l.leaf ? 'event' and f.workspace_id = p_workspace_id and f.hash = private.leaf_hash(l.leaf)
  cross join lateral (
    values
      ('feature', f.id::text), ('field', split_part(l.leaf ->> 'field', '.', 1)),
      ('segment', l.leaf ->> 'segment'), ('topic', l.leaf ->> 'topic'),
      -- Beginnings and ends of runs come as changes of the profile.
      ('field', case when l.leaf ? 'journey' then 'journey' end)
  ) as p (kind, ref)
  where p.ref is not null;
  perform private.write_nodes(p_workspace_id, p_segment_id, p_condition);
  perform private.drop_unused_features(p_workspace_id);
end
$$;
comment on function private.write_parts(uuid, uuid, jsonb) is
  'Notes what the condition of a segment depends on.';

create or replace function private.drop_unused_features(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update private.features as f
  set state = 'dropped', hash = sha256(int8send(f.id))
  where f.workspace_id = p_workspace_id and f.state <> 'dropped' and not exists (
    select from private.segment_parts as p
    where p.workspace_id = f.workspace_id and p.kind = 'feature' and p.ref = f.id::text
  );
  delete from private.event_interests as i
  where i.workspace_id = p_workspace_id and not exists (
    select from private.features as f
    where f.workspace_id = i.workspace_id and f.event = i.event and f.state <> 'dropped'
  ) and not exists (
    select from private.journey_interests as j
    where j.workspace_id = i.workspace_id and j.kind = 'event' and j.ref = i.event
  );
end
$$;
comment on function private.drop_unused_features(uuid) is
  'Gives up the features that no segment needs any more; their state is deleted in steps.';

create or replace function private.refuse_circle(p_workspace_id uuid, p_segment_id uuid, p_condition jsonb)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if exists (
    with recursive named as (
      select (l.leaf ->> 'segment')::uuid as id
      from private.condition_leaves(p_condition) as l
      where l.leaf ? 'segment'
      union
      select p.ref::uuid
      from named as n
      join private.segment_parts as p
        on p.workspace_id = p_workspace_id and p.segment_id = n.id and p.kind = 'segment'
    )
    select from named as n where n.id = p_segment_id
  ) then
    raise sqlstate 'SP400' using
      message = 'must not depend on its own segment', column = 'condition';
  end if;
end
$$;
comment on function private.refuse_circle(uuid, uuid, jsonb) is
  'Raises SP400 if a segment with this condition would name itself, directly or through others.';

create or replace function private.set_levels(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  loop
    update public.segments as s
    set level = n.level
    from (
      select p.segment_id, max(d.level) + 1 as level
      from private.segment_parts as p
      join public.segments as d on d.workspace_id = p.workspace_id and d.id::text = p.ref
      where p.workspace_id = p_workspace_id and p.kind = 'segment'
      group by p.segment_id
    ) as n
    where s.workspace_id = p_workspace_id and s.id = n.segment_id and s.level <> n.level;
    exit when not found;
  end loop;
end
$$;
comment on function private.set_levels(uuid) is
  'Puts each segment above those that it names: the order in which a fold evaluates them.';
