-- Purpose: checks conditions before they are stored or used, and replaces keys by ids.

create or replace function private.find_segment_id(p_workspace_id uuid, p_ref text, p_path text)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_id uuid := (
    select s.id
    from public.segments as s
    where s.workspace_id = p_workspace_id and (s.key = p_ref or s.id::text = lower(p_ref))
    order by s.id::text = lower(p_ref) desc
    limit 1
  );
begin
  if v_id is null then
    raise sqlstate 'SP400' using
      message = format('must name a segment: none has the id or key "%s"', p_ref),
      column = p_path || '.segment';
  end if;
  return v_id;
end
$$;
comment on function private.find_segment_id(uuid, text, text) is
  'The segment with this id or key; SP400 with the path of the leaf when there is none.';

create or replace function private.find_topic_id(p_workspace_id uuid, p_ref text, p_path text)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_id uuid;
begin
  if to_regclass('public.topics') is not null then
    execute 'select t.id from public.topics as t
      where t.workspace_id = $1 and (t.key = $2 or t.id::text = lower($2)) limit 1'
    into v_id using p_workspace_id, p_ref;
  end if;
  if v_id is null then
    raise sqlstate 'SP400' using
      message = format('must name a topic: none has the id or key "%s"', p_ref),
      column = p_path || '.topic';
  end if;
  return v_id;
end
$$;
comment on function private.find_topic_id(uuid, text, text) is
  'The topic with this id or key; SP400 with the path of the leaf when there is none.';

create or replace function private.resolve_node(p_workspace_id uuid, p_node jsonb, p_path text)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_kind text := case when p_node ? 'all' then 'all' when p_node ? 'any' then 'any' end;
begin
  if v_kind is not null then
    return jsonb_build_object(v_kind, (
      select coalesce(jsonb_agg(private.resolve_node(
        p_workspace_id, e.value, format('%s.%s[%s]', p_path, v_kind, e.ordinality - 1)
      ) order by e.ordinality), '[]')
      from jsonb_array_elements(p_node -> v_kind) with ordinality as e
    ));
  elsif p_node ? 'not' then
    return jsonb_build_object(
      'not', private.resolve_node(p_workspace_id, p_node -> 'not', p_path || '.not')
    );
  elsif p_node ? 'segment' then
    return jsonb_build_object(
      'segment', private.find_segment_id(p_workspace_id, p_node ->> 'segment', p_path)
    );
  elsif p_node ? 'topic' then
    return p_node || jsonb_build_object(
      'topic', private.find_topic_id(p_workspace_id, p_node ->> 'topic', p_path)
    );
  elsif p_node ? 'journey' then
    return p_node || jsonb_build_object(
      'journey', private.find_journey_id(p_workspace_id, p_node ->> 'journey', p_path)
    );
  end if;
  return p_node;
end
$$;
comment on function private.resolve_node(uuid, jsonb, text) is 'A node with ids instead of keys.';

create or replace function private.resolve_condition(p_workspace_id uuid, p_condition jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if (select count(*) > 100 or max(l.level) > 8 from private.condition_leaves(p_condition) as l) then
    raise sqlstate 'SP400' using
      message = 'must not have over 100 leaves or 8 levels', column = 'condition';
  end if;
  return private.resolve_node(p_workspace_id, p_condition, 'condition');
end
$$;
comment on function private.resolve_condition(uuid, jsonb) is
  'The condition with ids of segments, topics and journeys instead of keys; SP400 when it names one that does not exist, or is too large.';
