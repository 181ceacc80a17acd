-- Purpose: the operators of conditions as SQL.
-- Risk:    values become literals by format(%L) and nothing else.

create or replace function private.operator_sql(p_op text, p_operand jsonb, p_value text)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_text text := lower(p_operand #>> '{}');
  v_lower text := format('case when jsonb_typeof(%1$s) = ''string'' then lower(%1$s #>> ''{}'') end', p_value);
begin
  return case p_op
    when 'exists' then format('%s is not null', p_value)
    when 'not_exists' then format('%s is null', p_value)
    when 'eq' then format('coalesce(%s = %L::jsonb, false)', p_value, p_operand)
    when 'neq' then format('coalesce(%s <> %L::jsonb, true)', p_value, p_operand)
    when 'in' then format('coalesce(%s = any (%L::jsonb[]), false)', p_value, private.elements(p_operand))
    when 'not_in' then format('coalesce(%s <> all (%L::jsonb[]), true)', p_value, private.elements(p_operand))
    when 'contains' then format('coalesce(strpos(%s, %L) > 0, false)', v_lower, v_text)
    when 'not_contains' then format('coalesce(strpos(%s, %L) = 0, true)', v_lower, v_text)
    when 'starts_with' then format('coalesce(starts_with(%s, %L), false)', v_lower, v_text)
    when 'ends_with' then format(
      'coalesce(right(%s, %s) = %L, false)', v_lower, length(v_text), v_text
    )
    when 'gt' then private.number_sql('>', p_operand, p_value)
    when 'gte' then private.number_sql('>=', p_operand, p_value)
    when 'lt' then private.number_sql('<', p_operand, p_value)
    when 'lte' then private.number_sql('<=', p_operand, p_value)
    when 'before' then format(
      'coalesce(private.read_time(%s) < %L::timestamptz, false)', p_value, private.read_time(p_operand)
    )
    when 'after' then format(
      'coalesce(private.read_time(%s) > %L::timestamptz, false)', p_value, private.read_time(p_operand)
    )
  end;
end
$$;
comment on function private.operator_sql(text, jsonb, text) is
  'SQL that is true or false and never null: whether the JSON value p_value (SQL, null when missing) matches the operator. Null for an unknown operator.';

create or replace function private.elements(p_list jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select array(select e from jsonb_array_elements(p_list) as e)::text
$$;
comment on function private.elements(jsonb) is 'The elements of a JSON list as the text of an array.';

create or replace function private.number_sql(p_comparison text, p_operand jsonb, p_value text)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    'coalesce(case when jsonb_typeof(%1$s) = ''number'' then (%1$s)::numeric %2$s %3$L::numeric end, false)',
    p_value, p_comparison, p_operand #>> '{}'
  )
$$;
comment on function private.number_sql(text, jsonb, text) is
  'SQL that compares a JSON value with a number; false for a value of another type.';

create or replace function private.path_sql(p_document text, p_path text)
returns text
-- In SQL, it would be planned again for each statement that calls it.
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return format('nullif(%s #> %L::text[], ''null'')', p_document, string_to_array(p_path, '.')::text);
end
$$;
comment on function private.path_sql(text, text) is
  'SQL of the JSON value at a path like "address.city" of a document; null when it is missing or null.';

create or replace function private.where_sql(p_conditions jsonb, p_properties text)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(string_agg(private.require_sql(
      private.operator_sql(
        w ->> 'op', w -> 'value', private.path_sql(p_properties, w ->> 'property')
      ),
      format('Unknown operator "%s" in where', w ->> 'op')
    ), ' and '), 'true')
    from jsonb_array_elements(p_conditions) as w
  );
end
$$;
comment on function private.where_sql(jsonb, text) is
  'SQL of the conditions that an event''s properties must match, all of them.';

create or replace function private.require_sql(p_sql text, p_error text)
returns text
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  if p_sql is null then
    raise sqlstate 'SP400' using message = p_error, column = 'condition';
  end if;
  return p_sql;
end
$$;
comment on function private.require_sql(text, text) is
  'The SQL; SP400 with the given message when it is null: the condition cannot be compiled.';
