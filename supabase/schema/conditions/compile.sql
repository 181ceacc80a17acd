-- Purpose: conditions as set-wise SQL, compiled when they are needed and never stored.
-- Risk:    values become literals by format(%L) and nothing else.

create or replace function private.topic_sql(p_leaf jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    'select private.is_subscribed($1, ''email'', c.email, %L::uuid) = %L::boolean as holds,
       ''infinity''::timestamptz as until, null::jsonb as fact',
    p_leaf ->> 'topic', coalesce(p_leaf ->> 'subscribed', 'true')
  )
$$;
comment on function private.topic_sql(jsonb) is
  'SQL of a leaf about a topic: whether the customer''s address is subscribed.';

create or replace function private.segment_sql(p_leaf jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    'select exists (
       select
       from public.segments as s
       join public.segment_members as m
         on m.workspace_id = s.workspace_id and m.segment_id = s.id and m.version = s.version
         and m.customer_id = c.id
       where s.workspace_id = $1 and s.id = %L::uuid
     ) as holds, ''infinity''::timestamptz as until, null::jsonb as fact',
    p_leaf ->> 'segment'
  )
$$;
comment on function private.segment_sql(jsonb) is
  'SQL of a leaf about membership of another segment, as it is stored.';

create or replace function private.bucket_sql(p_leaf jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    'select b.x >= %L::numeric and b.x < %L::numeric as holds, ''infinity''::timestamptz as until,
       to_jsonb(round(b.x, 4)) as fact
     from (select private.pick_bucket(%L, c.id) as x offset 0) as b',
    p_leaf ->> 'from', p_leaf ->> 'to', p_leaf ->> 'bucket'
  )
$$;
comment on function private.bucket_sql(jsonb) is 'SQL of a leaf about the stable bucket of a customer.';

create or replace function private.event_sql(p_scope private.condition_scope, p_leaf jsonb)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_feature_id bigint;
begin
  if p_scope.source = 'marks' then
    select f.id into strict v_feature_id
    from private.features as f
    where f.workspace_id = p_scope.workspace_id
      and f.hash = private.leaf_hash(p_leaf);
  end if;
  if p_leaf ?| array['sum', 'min', 'max'] then
    return private.aggregate_sql(p_leaf, v_feature_id);
  end if;
  return private.count_sql(p_leaf, v_feature_id);
end
$$;
comment on function private.event_sql(private.condition_scope, jsonb) is
  'SQL of a leaf about events, from the rows that the scope names.';

create or replace function private.leaf_sql(p_scope private.condition_scope, p_leaf jsonb)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if p_leaf ? 'field' then
    return private.field_sql(p_leaf);
  elsif p_leaf ? 'event' then
    return private.event_sql(p_scope, p_leaf);
  elsif p_leaf ? 'segment' then
    return private.segment_sql(p_leaf);
  elsif p_leaf ? 'topic' then
    return private.topic_sql(p_leaf);
  elsif p_leaf ? 'journey' then
    return private.journey_sql(p_leaf);
  elsif p_leaf ? 'bucket' then
    return private.bucket_sql(p_leaf);
  elsif p_leaf ? 'property' then
    return private.static_sql(p_leaf, private.path_sql('e.properties', p_leaf ->> 'property'));
  end if;
  return private.require_sql(null, format('Unknown condition %s', left(p_leaf::text, 100)));
end
$$;
comment on function private.leaf_sql(private.condition_scope, jsonb) is
  'SQL of a leaf: one row of holds, until and fact for customer c.';

create or replace function private.combine_sql(p_kind text, p_nodes integer[])
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- A false "all" can only change when all of its false nodes have: hence the greatest of them.
  select format(
    'select %1$s as holds, case when %2$s (%1$s) then least(%3$s) else greatest(%4$s) end as until,
       null::jsonb as fact',
    coalesce(
      string_agg(format('n%s.holds', n), case p_kind when 'all' then ' and ' else ' or ' end),
      case p_kind when 'all' then 'true' else 'false' end
    ),
    case p_kind when 'all' then '' else 'not' end,
    coalesce(string_agg(format('n%s.until', n), ', '), '''infinity''::timestamptz'),
    coalesce(string_agg(
      format('case when %s n%s.holds then n%s.until end', case p_kind when 'all' then 'not' else '' end, n, n),
      ', '
    ), '''infinity''::timestamptz')
  )
  from unnest(p_nodes) as n
$$;
comment on function private.combine_sql(text, integer[]) is
  'SQL of a node "all" or "any" over the nodes with these numbers.';

create or replace function private.add_node(p_compiled private.compiled_condition, p_sql text)
returns private.compiled_condition
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  p_compiled.root := coalesce(cardinality(p_compiled.joins), 0) + 1;
  -- With "offset 0" each node is computed once: an expression would be copied into all above it.
  p_compiled.joins := p_compiled.joins
    || format('cross join lateral (%s offset 0) as n%s', p_sql, p_compiled.root);
  return p_compiled;
end
$$;
comment on function private.add_node(private.compiled_condition, text) is
  'Adds a node and makes it the root.';

create or replace function private.timed_sql(p_leaf jsonb, p_condition jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    'select m.holds, coalesce((
       select e.changes_at from private.evaluate_condition($1, %L, array[c.id], $2) as e
     ), ''infinity'') as until, m.fact
     from (%s) as m',
    p_condition, private.segment_sql(p_leaf)
  )
$$;
comment on function private.timed_sql(jsonb, jsonb) is
  'SQL of a leaf about the members of a live segment, with the time at which the segment''s condition can change.';

create or replace function private.compile_node(
  p_scope private.condition_scope,
  p_condition jsonb,
  p_compiled private.compiled_condition
)
returns private.compiled_condition
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_kind text := case when p_condition ? 'all' then 'all' when p_condition ? 'any' then 'any' end;
  v_child jsonb;
  v_nodes integer[] := '{}';
begin
  if v_kind is not null then
    for v_child in select e from jsonb_array_elements(p_condition -> v_kind) as e loop
      p_compiled := private.compile_node(p_scope, v_child, p_compiled);
      v_nodes := v_nodes || p_compiled.root;
    end loop;
    return private.add_node(p_compiled, private.combine_sql(v_kind, v_nodes));
  elsif p_condition ? 'not' then
    p_compiled := private.compile_node(p_scope, p_condition -> 'not', p_compiled);
    return private.add_node(p_compiled, format(
      'select not n%1$s.holds as holds, n%1$s.until, null::jsonb as fact', p_compiled.root
    ));
  elsif p_scope.named <> 'members' and p_condition ? 'segment' then
    select s.condition into v_child
    from public.segments as s
    where s.workspace_id = p_scope.workspace_id and s.id = (p_condition ->> 'segment')::uuid;
    if v_child is not null and p_scope.named = 'conditions' then
      return private.compile_node(p_scope, v_child, p_compiled);
    elsif v_child is not null then
      return private.add_node(p_compiled, private.timed_sql(p_condition, v_child));
    end if;
  end if;
  return private.add_node(p_compiled, private.leaf_sql(p_scope, p_condition));
end
$$;
comment on function private.compile_node(private.condition_scope, jsonb, private.compiled_condition) is
  'Adds the nodes of a condition to those compiled so far, children before parents.';

create or replace function private.compile_condition(p_scope private.condition_scope, p_condition jsonb)
returns private.compiled_condition
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return private.compile_node(p_scope, p_condition, null);
end
$$;
comment on function private.compile_condition(private.condition_scope, jsonb) is
  'A condition as SQL: joins to put after a from clause that has c and w, and the number of the node that is the answer.';
