-- Purpose: the answers of conditions, for sets of customers at a given time.
-- Risk:    reads everything that the condition is about, so callers must limit the sets.

create or replace function private.condition_select(
  p_compiled private.compiled_condition,
  p_columns text,
  p_customers text
)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    'select %s from %s as c
     cross join (select z.timezone from public.workspaces as z where z.id = $1) as w %s',
    replace(p_columns, 'root', 'n' || p_compiled.root), p_customers, array_to_string(p_compiled.joins, ' ')
  )
$$;
comment on function private.condition_select(private.compiled_condition, text, text) is
  'SQL that evaluates a condition for customers (SQL of rows of public.customers); in the columns, root is the answer.';

create or replace function private.evaluate_compiled(
  p_compiled private.compiled_condition,
  p_workspace_id uuid,
  p_customer_ids uuid[],
  p_now timestamptz
)
returns table (customer_id uuid, is_true boolean, changes_at timestamptz)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
-- Keeps the time that planning takes in proportion to the number of nodes.
set join_collapse_limit = 1
set from_collapse_limit = 1
as $$
begin
  return query execute private.condition_select(
    p_compiled, 'c.id, root.holds, root.until',
    '(select o.* from unnest($3) as k (id) cross join lateral (
        select x.* from public.customers as x where x.workspace_id = $1 and x.id = k.id limit 1
      ) as o)'
  ) using p_workspace_id, p_now, p_customer_ids;
end
$$;
comment on function private.evaluate_compiled(private.compiled_condition, uuid, uuid[], timestamptz) is
  'The answer of a compiled condition for each of the customers that exist, and when time alone can change it.';

create or replace function private.evaluate_condition(
  p_workspace_id uuid,
  p_condition jsonb,
  p_customer_ids uuid[],
  p_now timestamptz default clock_timestamp()
)
returns table (customer_id uuid, is_true boolean, changes_at timestamptz)
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return query
  select e.*
  from private.evaluate_compiled(
    private.compile_condition(row(p_workspace_id, 'events', 'conditions'), p_condition),
    p_workspace_id, p_customer_ids, p_now
  ) as e;
end
$$;
comment on function private.evaluate_condition(uuid, jsonb, uuid[], timestamptz) is
  'The model: the answer of a condition for each customer, and when time alone can change it. Reads all rows, and evaluates named segments by their conditions.';

create or replace function private.stored_scope(p_workspace_id uuid)
returns private.condition_scope
language sql
immutable
security invoker
set search_path = ''
as $$
  select row(p_workspace_id, 'events', 'members')::private.condition_scope
$$;
comment on function private.stored_scope(uuid) is
  'The scope of lists and previews: events from all rows, and named segments by their stored members.';

create or replace function private.explain_tree(
  p_condition jsonb,
  p_nodes jsonb,
  p_from integer,
  out tree jsonb,
  out next integer
)
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_kind text := case when p_condition ? 'all' then 'all' when p_condition ? 'any' then 'any' end;
  v_child jsonb;
  v_part record;
  v_parts jsonb := '[]';
  v_node jsonb;
begin
  next := p_from;
  for v_child in
    select e from jsonb_array_elements(coalesce(
      p_condition -> v_kind,
      case when p_condition ? 'not' then jsonb_build_array(p_condition -> 'not') else '[]' end
    )) as e
  loop
    select e.tree, e.next into v_part from private.explain_tree(v_child, p_nodes, next) as e;
    v_parts := v_parts || jsonb_build_array(v_part.tree);
    next := v_part.next;
  end loop;
  v_node := p_nodes -> next;
  next := next + 1;
  tree := jsonb_build_object('is', v_node -> 'holds', 'changes_at', private.show_time(v_node -> 'until'));
  tree := tree || case
    when v_kind is not null then jsonb_build_object(v_kind, v_parts)
    when p_condition ? 'not' then jsonb_build_object('not', v_parts -> 0)
    else p_condition || jsonb_build_object(
      'found', v_node -> 'fact', 'needed', private.needed_text(p_condition)
    )
  end;
end
$$;
comment on function private.explain_tree(jsonb, jsonb, integer) is
  'The condition with the answers of its nodes, a JSON list in the order of compilation, and the position after its last node.';

create or replace function private.show_time(p_time jsonb)
returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  select case
    when p_time #>> '{}' in ('infinity', '-infinity') then 'null'::jsonb
    else to_jsonb(private.rfc3339((p_time #>> '{}')::timestamptz))
  end
$$;
comment on function private.show_time(jsonb) is 'A time of Postgres as JSON shows it; JSON null for never.';

create or replace function private.needed_text(p_leaf jsonb)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select case
    when p_leaf ? 'event' then (
      select string_agg(
        case l.key when 'gte' then '>= ' when 'gt' then '> ' when 'lte' then '<= ' when 'lt' then '< '
          else '= ' end || l.value,
        ', ' order by l.key
      )
      from jsonb_each_text(
        coalesce(p_leaf -> 'sum', p_leaf -> 'min', p_leaf -> 'max', p_leaf -> 'count', '{"gte": 1}')
          - 'property'
      ) as l
    )
    when p_leaf ? 'field' or p_leaf ? 'property' then concat_ws(' ', p_leaf ->> 'op', (p_leaf -> 'value')::text)
    when p_leaf ? 'segment' then 'member'
    when p_leaf ? 'journey' then p_leaf ->> 'state'
    when p_leaf ? 'topic' then
      case when coalesce((p_leaf ->> 'subscribed')::boolean, true) then 'subscribed' else 'not subscribed' end
    when p_leaf ? 'bucket' then format('>= %s, < %s', p_leaf ->> 'from', p_leaf ->> 'to')
  end
$$;
comment on function private.needed_text(jsonb) is 'Describes what a leaf asks for, as text: ">= 2".';

create or replace function private.explain_customers(
  p_workspace_id uuid,
  p_customer_ids uuid[],
  p_condition jsonb,
  p_now timestamptz
)
returns table (customer_id uuid, explanation jsonb)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
set join_collapse_limit = 1
set from_collapse_limit = 1
as $$
declare
  v_compiled private.compiled_condition := private.compile_condition(
    row(p_workspace_id, 'events', 'timed'), p_condition
  );
  v_row record;
begin
  for v_row in
    execute private.condition_select(
      v_compiled,
      (select format('c.id, array[%s] as nodes', string_agg(format('to_jsonb(n%s)', n), ', '))
       from generate_series(1, v_compiled.root) as n),
      '(select o.* from unnest($3) as k (id) cross join lateral (
          select x.* from public.customers as x where x.workspace_id = $1 and x.id = k.id limit 1
        ) as o)'
    ) using p_workspace_id, p_now, p_customer_ids
  loop
    customer_id := v_row.id;
    explanation := jsonb_build_object(
      'at', private.rfc3339(p_now),
      'changes_at', private.show_time(v_row.nodes[v_compiled.root] -> 'until'),
      'tree', (select e.tree from private.explain_tree(p_condition, to_jsonb(v_row.nodes), 0) as e)
    );
    return next;
  end loop;
end
$$;
comment on function private.explain_customers(uuid, uuid[], jsonb, timestamptz) is
  'A condition leaf by leaf, for each of the customers that exist: at, changes_at and tree.';

create or replace function private.explain_one(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_condition jsonb,
  p_now timestamptz
)
returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  select e.explanation
  from private.explain_customers(p_workspace_id, array[p_customer_id], p_condition, p_now) as e
$$;
comment on function private.explain_one(uuid, uuid, jsonb, timestamptz) is
  'A condition for one customer leaf by leaf: at, changes_at and tree; null if the customer does not exist.';

create or replace function private.explain_condition(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_condition jsonb,
  p_now timestamptz default clock_timestamp()
)
returns jsonb
language plpgsql
stable
-- Definer: reads identities and events that the scope segments:read alone does not show.
security definer
set search_path = ''
as $$
begin
  if not private.is_readable(p_workspace_id, array['segments:read', 'segments:write']) then
    return null;
  end if;
  return private.explain_one(
    p_workspace_id, p_customer_id, private.resolve_condition(p_workspace_id, p_condition), p_now
  );
end
$$;
comment on function private.explain_condition(uuid, uuid, jsonb, timestamptz) is
  'A condition for one customer leaf by leaf, see private.explain_one.';
grant execute on function private.explain_condition(uuid, uuid, jsonb, timestamptz)
  to signalpost_user, signalpost_key;
