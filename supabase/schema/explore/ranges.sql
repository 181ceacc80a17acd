-- Purpose: ranges of the numbers of a property, when it has too many to count each.

create or replace function private.number_ranges(p_values jsonb[], p_counts numeric[], p_top integer)
returns jsonb[]
language sql
immutable
security invoker
set search_path = ''
as $$
  with numbers as (
    select (v.value)::numeric as number, v.count
    from unnest(p_values, p_counts) as v (value, count)
    where jsonb_typeof(v.value) = 'number'
  ),
  placed as (
    select n.number, n.count, sum(n.count) over (order by n.number) / sum(n.count) over () as share
    from numbers as n
  ),
  -- Few very small or large numbers would make the other ranges too wide.
  spread as (
    select
      min(p.number) as least, max(p.number) as most,
      min(p.number) filter (where p.share >= 0.05) as low,
      min(p.number) filter (where p.share >= 0.95) as high,
      bool_and(p.number = trunc(p.number)) as are_whole
    from placed as p
    having count(*) > greatest(10, p_top)
      and sum(p.count) * 2 > (select sum(c) from unnest(p_counts) as c)
  ),
  -- When nearly all are the same number, the others decide.
  ends as (
    select s.least, s.most, s.are_whole, e.low, e.high, (e.high - e.low) / 7 as width
    from spread as s
    cross join lateral (
      select
        case when s.low < s.high then s.low else s.least end as low,
        case when s.low < s.high then s.high else s.most end as high
    ) as e
  ),
  -- 1, 2 or 5 with zeros.
  steps as (
    select e.*, (
      select min(f * m.size)
      from unnest(array[1, 2, 5, 10]) as f
      where f * m.size >= e.width and (f * m.size >= 1 or not e.are_whole)
    ) as step
    from ends as e
    cross join lateral (
      select case
        when e.are_whole and e.width < 1 then 1 else ('1e' || floor(log(e.width)))::numeric
      end as size
    ) as m
  )
  select array_agg(jsonb_build_object(
    'from', case when g > floor(s.low / s.step) or s.least >= g * s.step then g * s.step end,
    'to', case when g < floor(s.high / s.step) or s.most < (g + 1) * s.step then (g + 1) * s.step end
  ) order by g)
  from steps as s
  cross join generate_series(floor(s.low / s.step), floor(s.high / s.step)) as g
$$;
comment on function private.number_ranges(jsonb[], numeric[], integer) is
  'At most 8 ranges of equal width for numbers that occur so often: from (included) and to (excluded), null for an open end. Null if there are at most 10 or p_top numbers, or if most values are not numbers.';

create or replace function private.grouped_sql(p_source text, p_query jsonb)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select format(
    $sql$
      with counted as materialized (
        select
          width_bucket(s.occurred_at, $2::timestamptz[]) as bucket, %1$s as value, %2$s as customer_id,
          count(*) as count, %3$s as sum
        from (%4$s) as s
        group by 1, 2, 3
      ),
      split as materialized (
        select private.number_ranges(array_agg(v.value), array_agg(v.count), %5$L::integer) as ranges
        from (select c.value, sum(c.count) as count from counted as c where c.value is not null group by 1) as v
      ),
      starts as materialized (
        select s.ranges, array(
          select (r.range ->> 'from')::numeric
          from unnest(s.ranges[2:]) with ordinality as r (range, place)
          order by r.place
        ) as starts
        from split as s
      )
      select
        c.bucket, c.customer_id, c.count, c.sum,
        case
          when s.ranges is null or c.value is null then c.value
          when jsonb_typeof(c.value) <> 'number' then 'null'
          else s.ranges[1 + width_bucket((c.value)::numeric, s.starts)]
        end as value
      from counted as c
      cross join starts as s
    $sql$,
    format('private.counted_value(%s)', private.path_sql('s.properties', p_query ->> 'property')),
    case p_query ->> 'measure' when 'customers' then 's.customer_id' else 'null::uuid' end,
    case when p_query ? 'value' then 'sum(s.number)' else 'null::numeric' end,
    private.measured_sql(p_source, p_query),
    coalesce(p_query ->> 'top', '5')
  )
$$;
comment on function private.grouped_sql(text, jsonb) is
  'SQL of the rows of a source over $2 (the starts of the intervals) by bucket, value and customer: count and sum. A value is a range (an object) if there are many numbers, and then JSON null for all other values.';
