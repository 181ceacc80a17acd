-- Purpose: conditions about events alone, answered for all segments that a fold touches at once.
-- Risk:    must agree with the compiled SQL of conditions/leaves.sql: the tests of the fold compare
--          both with the model.

create or replace function private.is_growing(p_condition jsonb)
returns boolean
language sql
immutable
security invoker
set search_path = ''
as $$
  select not jsonb_path_exists(p_condition, '$.**.not') and coalesce(bool_and(
    not l.leaf ?| array['sum', 'min', 'max'] and not coalesce(l.leaf -> 'count', '{}') ?| array['lte', 'eq']
    and l.leaf #>> '{count,gte}' is distinct from '0'
  ), false)
  from private.condition_leaves(p_condition) as l
  where l.leaf ? 'event'
$$;
comment on function private.is_growing(jsonb) is
  'True if an event can make a customer match the condition, or do so for longer, and never the opposite.';

create or replace function private.figure_bounds(p_limits jsonb)
returns numrange
language sql
immutable
security invoker
set search_path = ''
as $$
  -- One range per limit: limits that exclude each other then have an empty range in common.
  select
    numrange((p_limits ->> 'gte')::numeric, null, '[)') * numrange(null, (p_limits ->> 'lte')::numeric, '(]')
    * numrange((p_limits ->> 'gt')::numeric, null, '()') * numrange(null, (p_limits ->> 'lt')::numeric, '()')
    * numrange((p_limits ->> 'eq')::numeric, (p_limits ->> 'eq')::numeric, '[]')
$$;
comment on function private.figure_bounds(jsonb) is
  'The numbers that match the limits of a sum, min or max.';

create or replace function private.write_nodes(p_workspace_id uuid, p_segment_id uuid, p_condition jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  delete from private.segment_nodes as n
  where n.workspace_id = p_workspace_id and n.segment_id = p_segment_id;
  if exists (select from private.condition_leaves(p_condition) as l where not l.leaf ? 'event') then
    return;
  end if;
  insert into private.segment_nodes (
    workspace_id, segment_id, node, parent, depth, kind, feature_id, span, least_times, most_times, bounds
  )
  with recursive nodes as (
    select p_condition as node, '{}'::integer[] as path
    union all
    select c.node, n.path || c.position::integer
    from nodes as n
    cross join lateral (
      select e.value, e.ordinality
      from jsonb_array_elements(coalesce(n.node -> 'all', n.node -> 'any')) with ordinality as e
      union all
      select n.node -> 'not', 1 where n.node ? 'not'
    ) as c (node, position)
  ),
  numbered as (
    select n.node, n.path, row_number() over (order by n.path) as number from nodes as n
  )
  select
    p_workspace_id, p_segment_id, n.number, p.number, cardinality(n.path), k.kind, f.id,
    private.read_duration(n.node ->> 'within')
      + case when k.kind in ('sum', 'min', 'max') then interval '1 hour' else interval '0' end,
    case when k.kind = 'count' then
      greatest((t.times ->> 'gte')::integer, (t.times ->> 'eq')::integer, 0)
    end,
    case when k.kind = 'count' then least((t.times ->> 'lte')::integer, (t.times ->> 'eq')::integer) end,
    case when k.kind in ('sum', 'min', 'max') then private.figure_bounds(n.node -> k.kind) end
  from numbered as n
  left join numbered as p on p.path = n.path[:cardinality(n.path) - 1] and cardinality(n.path) > 0
  cross join lateral (
    select coalesce((
      select v.kind from unnest('{all,any,not,sum,min,max}'::text[]) as v (kind) where n.node ? v.kind limit 1
    ), 'count') as kind
  ) as k
  cross join lateral (select coalesce(n.node -> 'count', '{"gte": 1}') as times) as t
  left join private.features as f
    on n.node ? 'event' and f.workspace_id = p_workspace_id and f.hash = private.leaf_hash(n.node);
end
$$;
comment on function private.write_nodes(uuid, uuid, jsonb) is
  'Stores the nodes of a condition if all its leaves are about events.';

create or replace function private.answer_leaves(
  p_workspace_id uuid,
  p_dirt private.segment_truth[],
  p_now timestamptz
)
returns private.node_truth[]
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
-- By key, one at a time: the state may have millions of rows.
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
as $$
begin
  return array(
    with leaves as materialized (
      select n.*, d.customer_id, d.cause
      from unnest(p_dirt) as d
      cross join lateral (
        select c.id from public.customers as c
        where c.workspace_id = p_workspace_id and c.id = d.customer_id limit 1
      ) as c
      cross join lateral (
        select x.* from private.segment_nodes as x
        where x.workspace_id = p_workspace_id and x.segment_id = d.segment_id and x.feature_id is not null
        offset 0
      ) as n
    )
    select row(
      l.segment_id, l.customer_id, l.cause, l.parent, l.depth, a.holds, coalesce(a.until, 'infinity')
    )::private.node_truth
    from leaves as l
    cross join lateral (
      select array(
        select t.at
        from public.identities as i
        cross join lateral (
          select f.marks from private.feature_marks as f
          where f.workspace_id = i.workspace_id and f.feature_id = l.feature_id and f.identity_id = i.id
          limit 1
        ) as f
        cross join unnest(f.marks) as t (at)
        where i.workspace_id = p_workspace_id and i.customer_id = l.customer_id
          and (l.span is null or t.at > p_now - l.span)
        order by t.at desc
        limit greatest(l.least_times, l.most_times + 1)
      ) as times
      offset 0
    ) as m
    cross join lateral (
      select
        (l.least_times = 0 or m.times[l.least_times] is not null) as is_enough,
        m.times[l.most_times + 1] is not null as is_too_many
    ) as e
    cross join lateral (
      select
        e.is_enough and not e.is_too_many as holds,
        case when e.is_too_many then m.times[l.most_times + 1] when e.is_enough then m.times[l.least_times] end
          + l.span as until
    ) as a
    where l.kind = 'count'
    union all
    select row(
      l.segment_id, l.customer_id, l.cause, l.parent, l.depth,
      coalesce(case l.kind when 'sum' then coalesce(m.sum, 0) when 'min' then m.min else m.max end <@ l.bounds, false),
      coalesce(m.first_hour + l.span, 'infinity')
    )::private.node_truth
    from leaves as l
    cross join lateral (
      select sum(f.sum), min(f.min), max(f.max), min(f.hour) as first_hour
      from public.identities as i
      cross join lateral (
        select b.* from private.feature_buckets as b
        where b.workspace_id = i.workspace_id and b.feature_id = l.feature_id and b.identity_id = i.id
        offset 0
      ) as f
      where i.workspace_id = p_workspace_id and i.customer_id = l.customer_id
        and (l.span is null or f.hour > p_now - l.span)
    ) as m
    where l.kind in ('sum', 'min', 'max')
  );
end
$$;
comment on function private.answer_leaves(uuid, private.segment_truth[], timestamptz) is
  'The answers of the leaves of conditions about events alone, for the customers to compare with them that exist.';

create or replace function private.answer_nodes(
  p_workspace_id uuid,
  p_dirt private.segment_truth[],
  p_now timestamptz
)
returns private.segment_truth[]
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_answers private.node_truth[] := private.answer_leaves(p_workspace_id, p_dirt, p_now);
  v_depth smallint := (select max(a.depth) from unnest(v_answers) as a);
begin
  while v_depth > 0 loop
    v_answers := array(
      select a from unnest(v_answers) as a where a.depth < v_depth
      union all
      select row(
        g.segment_id, g.customer_id, g.cause, n.parent, n.depth,
        case n.kind when 'all' then g.is_all when 'any' then g.is_any else not g.is_all end,
        -- A false "all" can only change when all of its false nodes have: hence the greatest of them.
        case
          when n.kind = 'all' and not g.is_all then g.last_false
          when n.kind = 'any' and g.is_any then g.last_true
          else g.first
        end
      )::private.node_truth
      from (
        select
          a.segment_id, a.customer_id, a.cause, a.parent,
          bool_and(a.holds) as is_all, bool_or(a.holds) as is_any, min(a.until) as first,
          max(a.until) filter (where a.holds) as last_true,
          max(a.until) filter (where not a.holds) as last_false
        from unnest(v_answers) as a
        where a.depth = v_depth
        group by a.segment_id, a.customer_id, a.cause, a.parent
      ) as g
      join private.segment_nodes as n
        on n.workspace_id = p_workspace_id and n.segment_id = g.segment_id and n.node = g.parent
    );
    v_depth := v_depth - 1;
  end loop;
  return array(
    select row(a.segment_id, a.customer_id, a.cause, a.holds, a.until)::private.segment_truth
    from unnest(v_answers) as a
  );
end
$$;
comment on function private.answer_nodes(uuid, private.segment_truth[], timestamptz) is
  'The answers of conditions about events alone, for the customers to compare with them.';
