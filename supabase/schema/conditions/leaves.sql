-- Purpose: the leaves of conditions as SQL: one row of holds, until and fact per customer c.
-- Risk:    values become literals by format(%L) and nothing else.

create or replace function private.condition_leaves(p_condition jsonb)
returns table (leaf jsonb, level integer)
language sql
immutable
security invoker
set search_path = ''
as $$
  with recursive nodes as (
    select p_condition as node, 1 as level
    union all
    select c.node, n.level + 1
    from nodes as n
    cross join lateral (
      select e as node from jsonb_array_elements(n.node -> 'all') as e
      union all
      select e from jsonb_array_elements(n.node -> 'any') as e
      union all
      select n.node -> 'not' where n.node ? 'not'
    ) as c
  )
  select n.node, n.level from nodes as n where not n.node ?| array['all', 'any', 'not']
$$;
comment on function private.condition_leaves(jsonb) is
  'The leaves of a condition, each with its level; that of the whole is 1.';

create or replace function private.leaf_feature(p_leaf jsonb)
returns jsonb
language sql
immutable
security invoker
set search_path = ''
as $$
  select jsonb_build_object(
    'event', p_leaf -> 'event',
    -- A condition has to ask for opens and clicks by scanners and mail proxies.
    'conditions', coalesce(p_leaf -> 'where', '[]') || case
      when p_leaf ->> 'event' in ('email_opened', 'email_clicked')
        and not coalesce(p_leaf -> 'where', '[]') @> '[{"property": "automated"}]'
      then '[{"property": "automated", "op": "neq", "value": true}]'::jsonb
      else '[]'
    end,
    'since', p_leaf -> 'since', 'until', p_leaf -> 'until',
    'property', coalesce(p_leaf -> 'sum', p_leaf -> 'min', p_leaf -> 'max') -> 'property'
  )
$$;
comment on function private.leaf_feature(jsonb) is
  'Describes an event leaf, without its window and its thresholds: leaves with the same description share their state.';

create or replace function private.feature_hash(p_feature jsonb)
returns bytea
language sql
immutable
security invoker
set search_path = ''
as $$
  select sha256(convert_to(p_feature::text, 'UTF8'))
$$;
comment on function private.feature_hash(jsonb) is 'The key of what an event leaf counts.';

create or replace function private.leaf_keep(p_leaf jsonb)
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  select greatest(
    1, (p_leaf #>> '{count,gte}')::integer, (p_leaf #>> '{count,lte}')::integer + 1,
    (p_leaf #>> '{count,eq}')::integer + 1
  )
$$;
comment on function private.leaf_keep(jsonb) is
  'Counts the newest events that a leaf depends on.';

create or replace function private.window_sql(p_leaf jsonb, p_at text)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select concat_ws(
    ' and ', 'true',
    case when p_leaf ? 'within' then
      format('%s > $2 - %L::interval', p_at, private.read_duration(p_leaf ->> 'within'))
    end,
    case when p_leaf ? 'since' then
      format('%s >= %L::timestamptz', p_at, private.read_time(p_leaf -> 'since'))
    end,
    case when p_leaf ? 'until' then
      format('%s < %L::timestamptz', p_at, private.read_time(p_leaf -> 'until'))
    end
  )
$$;
comment on function private.window_sql(jsonb, text) is
  'SQL that is true when a time is within the window of an event leaf.';

create or replace function private.events_sql(p_leaf jsonb, p_join text default '')
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select format(
    'public.identities as i
     join public.events as e on e.workspace_id = i.workspace_id and e.identity_id = i.id
     cross join lateral (select least(e.occurred_at, e.received_at) as at) as t %s
     where i.workspace_id = $1 and i.customer_id = c.id and e.name = %L and e.kind = ''event''
       and %s and %s and %s',
    p_join, p_leaf ->> 'event', private.as_of_sql('e.received_at'),
    private.where_sql(private.leaf_feature(p_leaf) -> 'conditions', 'e.properties'),
    -- Never earlier than the time that counts: the index on occurred_at narrows the search.
    concat_ws(
      ' and ', 'true',
      case when p_leaf ? 'within' then format(
        'e.occurred_at > $2 - %L::interval',
        private.read_duration(p_leaf ->> 'within') + interval '1 hour'
      ) end,
      case when p_leaf ? 'since' then format(
        'e.occurred_at >= %L::timestamptz', private.read_time(p_leaf -> 'since')
      ) end
    )
  )
$$;
comment on function private.events_sql(jsonb, text) is
  'SQL, from the from clause on, of the events of customer c that a leaf is about; t.at is the time that counts. p_join is one more join.';

create or replace function private.count_sql(p_leaf jsonb, p_feature_id bigint)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_count jsonb := coalesce(p_leaf -> 'count', '{"gte": 1}');
  v_least integer := greatest((v_count ->> 'gte')::integer, (v_count ->> 'eq')::integer, 0);
  v_most integer := least((v_count ->> 'lte')::integer, (v_count ->> 'eq')::integer);
  v_times text := case
    when p_feature_id is null then private.events_sql(p_leaf)
    else format(
      -- "limit" makes the planner look up each row by its whole key, even with wrong statistics.
      'public.identities as i
       cross join lateral (
         select x.marks from private.feature_marks as x
         where x.workspace_id = i.workspace_id and x.feature_id = %s and x.identity_id = i.id limit 1
       ) as f
       cross join lateral unnest(f.marks) as t (at)
       where i.workspace_id = $1 and i.customer_id = c.id', p_feature_id
    )
  end || ' and ' || private.window_sql(p_leaf, 't.at');
  v_enough text := case when v_least = 0 then 'true' else format('m.times[%s] is not null', v_least) end;
  v_too_many text := case
    when v_most is null then 'false' else format('m.times[%s] is not null', v_most + 1)
  end;
begin
  return format(
    'select %1$s and not %2$s as holds,
       coalesce(case when %2$s then m.times[%3$s] when %1$s then m.times[%4$s] end + %5$L::interval, ''infinity'') as until,
       to_jsonb(cardinality(m.times)) as fact
     from (select array(select t.at from %6$s order by t.at desc limit %7$s) as times offset 0) as m',
    v_enough, v_too_many, coalesce(v_most, 0) + 1, v_least,
    private.read_duration(p_leaf ->> 'within'), v_times, private.leaf_keep(p_leaf)
  );
end
$$;
comment on function private.count_sql(jsonb, bigint) is
  'SQL of a leaf that counts events: from all events, or from the marks of a feature.';

create or replace function private.aggregate_sql(p_leaf jsonb, p_feature_id bigint)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_kind text := case when p_leaf ? 'sum' then 'sum' when p_leaf ? 'min' then 'min' else 'max' end;
  v_limits jsonb := p_leaf -> v_kind;
  v_interval interval := private.read_duration(p_leaf ->> 'within') + interval '1 hour';
  v_rows text := case
    when p_feature_id is null then format(
      'select date_trunc(''hour'', t.at, ''UTC'') as hour, v.value as %s from %s and v.value is not null and %s',
      v_kind,
      private.events_sql(p_leaf, format(
        'cross join lateral (
           select case when jsonb_typeof(%1$s) = ''number'' then (%1$s)::numeric end as value
         ) as v',
        private.path_sql('e.properties', v_limits ->> 'property')
      )),
      private.window_sql(p_leaf - 'within', 't.at')
    )
    else format(
      'select f.hour, f.%1$s
       from public.identities as i
       cross join lateral (
         select x.hour, x.%1$s from private.feature_buckets as x
         where x.workspace_id = i.workspace_id and x.feature_id = %2$s and x.identity_id = i.id offset 0
       ) as f
       where i.workspace_id = $1 and i.customer_id = c.id', v_kind, p_feature_id
    )
  end;
begin
  return format(
    'select coalesce(%1$s, false) as holds, coalesce(m.first_hour + %2$L::interval, ''infinity'') as until,
       to_jsonb(m.value) as fact
     from (
       select %3$s as value, min(r.hour) as first_hour from (%4$s) as r where %5$s offset 0
     ) as m',
    (
      select coalesce(string_agg(
        format('m.value %s %L::numeric', case l.key
          when 'gte' then '>=' when 'gt' then '>' when 'lte' then '<=' when 'lt' then '<' when 'eq' then '='
        end, l.value), ' and '
      ), 'true')
      from jsonb_each_text(v_limits - 'property') as l
    ),
    v_interval,
    case v_kind when 'sum' then 'coalesce(sum(r.sum), 0)' else format('%1$s(r.%1$s)', v_kind) end,
    v_rows,
    case when v_interval is null then 'true' else format('r.hour > $2 - %L::interval', v_interval) end
  );
end
$$;
comment on function private.aggregate_sql(jsonb, bigint) is
  'SQL of a leaf that adds up numbers of events, or looks for the least or greatest: from all events, or from the hours of a feature. An event leaves a window with its hour.';
