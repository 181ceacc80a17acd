-- Purpose: which messages pass the filters of destinations.
-- Risk:    part of every ingest for destinations with a filter: private.check_filter lets no filter be
--          stored that could raise an error here.

create or replace function private.filter_sql(p_filter jsonb)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_kind text := case when p_filter ? 'all' then 'all' when p_filter ? 'any' then 'any' end;
  v_value text;
begin
  if v_kind is not null then
    return (
      select format('(%s)', string_agg(
        private.filter_sql(e), case v_kind when 'all' then ' and ' else ' or ' end
      ))
      from jsonb_array_elements(p_filter -> v_kind) as e
    );
  elsif p_filter ? 'not' then
    return format('(not %s)', private.filter_sql(p_filter -> 'not'));
  end if;
  v_value := case
    when p_filter ? 'property' then private.path_sql('e.properties', p_filter ->> 'property')
    else private.field_value_sql(p_filter ->> 'field')
  end;
  return private.require_sql(
    case when v_value is not null then
      private.operator_sql(p_filter ->> 'op', p_filter -> 'value', v_value)
    end,
    format('Cannot filter by the condition %s', left(p_filter::text, 100))
  );
end
$$;
comment on function private.filter_sql(jsonb) is
  'SQL that is true when a message e passes a filter: e.properties are the properties of its event, or the payload of a message of the service; e.context is the context of its event.';

create or replace function private.filter_leaves(p_filter jsonb)
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  -- Each leaf has an operator, and nothing else has.
  select count(*)::integer from jsonb_path_query(p_filter, 'strict $.**.op')
$$;
comment on function private.filter_leaves(jsonb) is
  'The number of leaves of a filter.';

create or replace function private.check_filter()
returns trigger
language plpgsql
volatile
-- Definer: members change destinations, and may not compile conditions.
security definer
set search_path = ''
as $$
declare
  v_others integer;
begin
  begin
    execute format(
      'select %s from (select ''{}''::jsonb as properties, null::jsonb as context) as e',
      private.filter_sql(new.filter)
    );
  exception when data_exception or syntax_error_or_access_rule_violation or sqlstate 'SP400' then
    raise sqlstate 'SP400' using
      message = format('must be a condition on an event, not %s', left(new.filter::text, 100)),
      column = 'filter';
  end;
  -- Two changes at once must not add up to more.
  perform pg_advisory_xact_lock(hashtextextended(new.workspace_id::text, 8));
  select coalesce(sum(private.filter_leaves(d.filter)), 0) into v_others
  from public.destinations as d
  where d.workspace_id = new.workspace_id and d.id <> new.id and d.filter is not null;
  if v_others + private.filter_leaves(new.filter) > 200 then
    raise sqlstate 'SP400' using
      message = format(
        'must have at most %s leaves: all filters of a workspace have at most 200 together',
        greatest(0, 200 - v_others)
      ),
      column = 'filter';
  end if;
  return new;
end
$$;
comment on function private.check_filter() is
  'Refuses a filter that cannot be evaluated, because every ingest of its workspace would fail, and filters that would take too long together.';

create or replace function private.filter_messages(
  p_ids uuid[],
  p_messages private.new_message[],
  p_subscriptions private.subscription[]
)
returns private.filtered_message[]
language plpgsql
stable
security invoker
set search_path = ''
set enable_nestloop = 'off'
set jit = 'off'
as $$
declare
  v_cases text;
  v_passed private.filtered_message[];
begin
  -- Each filter is compiled once for all messages. One that was removed meanwhile passes them all.
  select string_agg(
    format(
      'when %L::uuid then %s', d.id,
      case when d.filter is null then 'true' else private.filter_sql(d.filter) end
    ), ' '
  )
  into v_cases
  from (
    select distinct s.workspace_id, s.destination_id
    from unnest(p_subscriptions) as s
    where s.is_filtered
  ) as s
  cross join lateral (
    select o.id, o.filter from public.destinations as o
    where o.workspace_id = s.workspace_id and o.id = s.destination_id
    limit 1
  ) as d;
  if v_cases is null then
    return '{}';
  end if;
  execute format(
    'select array_agg(row(e.id, e.destination_id)::private.filtered_message)
     from (
       select
         n.id, s.destination_id, m.payload -> ''context'' as context,
         case when m.payload ? ''properties'' then m.payload -> ''properties'' else m.payload end as properties
       from unnest($1) with ordinality as n (id, position)
       join unnest($2) with ordinality
         as m (workspace_id, event_type, payload, customer_id, destination_id, position)
         on m.position = n.position
       join unnest($3) as s on s.workspace_id = m.workspace_id and s.event_type = m.event_type
       where s.is_filtered and m.destination_id is null
       -- Each part of a payload is read once, not by every test.
       offset 0
     ) as e
     where case e.destination_id %s end', v_cases
  ) into v_passed using p_ids, p_messages, p_subscriptions;
  return coalesce(v_passed, '{}');
end
$$;
comment on function private.filter_messages(uuid[], private.new_message[], private.subscription[]) is
  'The messages, by their ids at the same position, that pass the filter of a destination which subscribes to their type.';
