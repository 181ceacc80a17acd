-- Purpose: leaves about a customer's profile as SQL.
-- Risk:    values become literals by format(%L), and names of columns come from a list.

create or replace function private.field_value_sql(p_field text)
returns text
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return case
    when p_field = any (private.profile_fields()) then format('to_jsonb(c.%I)', p_field)
    when p_field in ('created_at', 'last_seen_at') then format('to_jsonb(private.rfc3339(c.%I))', p_field)
    when p_field = 'is_identified' then
      'to_jsonb(exists (
         select from public.identities as i
         where i.workspace_id = $1 and i.customer_id = c.id and i.kind = ''external''
       ))'
    when starts_with(p_field, 'attributes.') then
      private.path_sql('c.attributes', substr(p_field, length('attributes.') + 1))
    -- Only where c has a trigger: in steps of runs.
    when starts_with(p_field, 'trigger.') then
      private.path_sql('c.trigger', substr(p_field, length('trigger.') + 1))
    -- Only where e is an event: in filters of events.
    when starts_with(p_field, 'context.') then
      private.path_sql('e.context', substr(p_field, length('context.') + 1))
  end;
end
$$;
comment on function private.field_value_sql(text) is
  'SQL of the JSON value of a field of customer c; null for an unknown field.';

create or replace function private.time_sql(p_leaf jsonb)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_field text := p_leaf ->> 'field';
  v_at text := case
    when v_field in ('created_at', 'last_seen_at') then format('c.%I', v_field) else 'private.read_time(v.value)'
  end;
  v_for interval := private.read_duration(p_leaf ->> 'value');
begin
  return format(
    'select coalesce(%s, false) as holds, coalesce(%s, ''infinity'') as until, v.value as fact
     from (select %s as value offset 0) as v
     cross join lateral (select %s as at, %L::interval as span offset 0) as t',
    case p_leaf ->> 'op'
      when 'within_last' then 't.at > $2 - t.span and t.at <= $2'
      when 'not_within_last' then 'not (t.at > $2 - t.span and t.at <= $2)'
      else 't.at > $2 and t.at <= $2 + t.span'
    end,
    case p_leaf ->> 'op'
      when 'within_next' then
        'case when t.at > $2 + t.span then t.at - t.span when t.at > $2 then t.at end'
      else 'case when t.at > $2 then t.at when t.at > $2 - t.span then t.at + t.span end'
    end,
    private.field_value_sql(v_field), v_at, v_for
  );
end
$$;
comment on function private.time_sql(jsonb) is
  'SQL of a leaf that compares a time of the profile with now.';

create or replace function private.external_id_sql(p_leaf jsonb)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_op text := p_leaf ->> 'op';
  v_positive text := case v_op
    when 'neq' then 'eq' when 'not_in' then 'in' when 'not_contains' then 'contains'
    when 'not_exists' then 'exists' else v_op
  end;
  v_test text := private.operator_sql(v_positive, p_leaf -> 'value', 'v.value');
begin
  return format(
    'select %s exists (
       select
       from public.identities as i
       cross join lateral (select to_jsonb(i.value) as value) as v
       where i.workspace_id = $1 and i.customer_id = c.id and i.kind = ''external'' and %s
     ) as holds, ''infinity''::timestamptz as until,
     private.newest_ids($1, c.id, ''external'') as fact',
    case when v_positive <> v_op then 'not' end,
    private.require_sql(v_test, format('Unknown operator "%s"', v_op))
  );
end
$$;
comment on function private.external_id_sql(jsonb) is
  'SQL of a leaf about external ids: one of them must match a positive operator, none a negated one.';

create or replace function private.field_sql(p_leaf jsonb)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_field text := p_leaf ->> 'field';
  v_op text := p_leaf ->> 'op';
  v_value text := private.field_value_sql(v_field);
begin
  if v_field = 'external_id' then
    return private.external_id_sql(p_leaf);
  end if;
  v_value := private.require_sql(v_value, format('Unknown field "%s"', v_field));
  if v_op in ('within_last', 'not_within_last', 'within_next') then
    return private.time_sql(p_leaf);
  elsif v_op = 'anniversary_today' then
    return format(
      'select a.holds, a.until, v.value as fact
       from (select %s as value offset 0) as v
       cross join lateral private.find_anniversary(
         v.value, private.known_zone(coalesce(c.timezone, w.timezone), w.timezone), $2
       ) as a', v_value
    );
  end if;
  return private.static_sql(p_leaf, v_value);
end
$$;
comment on function private.field_sql(jsonb) is 'SQL of a leaf about a field of the profile.';

create or replace function private.static_sql(p_leaf jsonb, p_value text)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return format(
    'select %s as holds, ''infinity''::timestamptz as until, v.value as fact
     from (select %s as value offset 0) as v',
    private.require_sql(
      private.operator_sql(p_leaf ->> 'op', p_leaf -> 'value', 'v.value'),
      format('Unknown operator "%s"', p_leaf ->> 'op')
    ), p_value
  );
end
$$;
comment on function private.static_sql(jsonb, text) is
  'SQL of a leaf whose answer does not depend on the time, about the JSON value p_value (SQL).';
