-- Purpose: events, customers, sums or averages over time, by the values of a property.

create or replace function private.counted_value(p_value jsonb)
returns jsonb
language sql
immutable
security invoker
set search_path = ''
as $$
  select case
    when jsonb_typeof(p_value) in ('array', 'object') then to_jsonb(left(p_value::text, 200))
    when jsonb_typeof(p_value) = 'string' then to_jsonb(left(p_value #>> '{}', 200))
    else p_value
  end
$$;
comment on function private.counted_value(jsonb) is
  'The value that events are grouped by. Lists and objects become text, and text is cut at 200 characters.';

create or replace function private.measured_sql(p_source text, p_query jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select case
    when p_query ? 'value' then format(
      'select s.*, (%1$s)::numeric as number from (%2$s) as s where jsonb_typeof(%1$s) = ''number''',
      private.path_sql('s.properties', p_query ->> 'value'), p_source
    )
    else p_source
  end
$$;
comment on function private.measured_sql(text, jsonb) is
  'SQL of the rows of a source with the number that is added up; without the rows that have none. The source itself if rows are counted.';

create or replace function private.measure_sql(p_measure text)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select case p_measure
    when 'customers' then 'count(*)'
    when 'sum' then 'sum(f.sum)'
    when 'average' then 'sum(f.sum) / sum(f.count)'
    else 'sum(f.count)'
  end
$$;
comment on function private.measure_sql(text) is
  'SQL of a measure of the rows "f", each of which is a customer, or a number of events with the sum of their numbers.';

create or replace function private.totals_sql(p_source text, p_query jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    $sql$
      with found as materialized (
        select
          width_bucket(s.occurred_at, $2::timestamptz[]) as bucket, %1$s as customer_id,
          count(*) as count, %5$s as sum
        from (%2$s) as s
        group by 1, 2
      ),
      per_bucket as (select f.bucket, %3$s as count from found as f group by 1)
      select case when count(*) = 0 then '[]' else jsonb_build_array(jsonb_build_object(
        'kind', 'all', 'value', null, 'total', %4$s, 'counts', jsonb_object_agg(b.bucket, b.count)
      )) end
      from per_bucket as b
    $sql$,
    case p_query ->> 'measure' when 'customers' then 's.customer_id' else 'null::uuid' end,
    private.measured_sql(p_source, p_query),
    private.measure_sql(p_query ->> 'measure'),
    case p_query ->> 'measure'
      when 'customers' then '(select count(*) from (select from found as f group by f.customer_id) as c)'
      else format('(select %s from found as f)', private.measure_sql(p_query ->> 'measure'))
    end,
    case when p_query ? 'value' then 'sum(s.number)' else 'null::numeric' end
  )
$$;
comment on function private.totals_sql(text, jsonb) is
  'SQL of a measure of the rows of a source over $2 (the starts of the intervals).';

create or replace function private.values_sql(p_source text, p_query jsonb)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  -- Each row of "found" is a customer, or with customer_id null a number of events.
  select format(
    $sql$
      with found as materialized (%1$s),
      ranked as (
        select t.value, row_number() over (order by t.weight desc, t.value) as rank
        from (
          select f.value, %3$s as weight
          from (
            select n.value, n.customer_id, sum(n.count) as count, sum(n.sum) as sum
            from found as n where n.value is not null group by 1, 2
          ) as f
          group by f.value
        ) as t
      ),
      named as materialized (
        select
          f.bucket, f.customer_id, f.count, f.sum, k.kind,
          case when k.kind in ('range', 'value') then f.value end as value
        from found as f
        left join ranked as r on r.value = f.value
        cross join lateral (
          select case
            when f.value is null then 'missing'
            when f.value = 'null' then 'other'
            when jsonb_typeof(f.value) = 'object' then 'range'
            when r.rank <= %4$L::integer then 'value' else 'other'
          end as kind
        ) as k
      ),
      per_bucket as (
        select f.kind, f.value, f.bucket, %2$s as count
        from (select n.kind, n.value, n.bucket, n.customer_id, sum(n.count) as count, sum(n.sum) as sum
          from named as n group by 1, 2, 3, 4) as f
        group by 1, 2, 3
      ),
      totals as (
        select f.kind, f.value, %2$s as count, %3$s as weight
        from (select n.kind, n.value, n.customer_id, sum(n.count) as count, sum(n.sum) as sum
          from named as n group by 1, 2, 3) as f
        group by 1, 2
      )
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', t.kind, 'value', t.value, 'total', t.count,
        'counts', (
          select jsonb_object_agg(b.bucket, b.count) from per_bucket as b
          where b.kind = t.kind and b.value is not distinct from t.value
        )
      ) order by
        array_position(array['range', 'value', 'other', 'missing'], t.kind), t.value -> 'from',
        t.weight desc, t.value), '[]')
      from totals as t
    $sql$,
    private.grouped_sql(p_source, p_query),
    private.measure_sql(p_query ->> 'measure'),
    -- The highest averages would be those of rare values.
    private.measure_sql(case p_query ->> 'measure' when 'average' then 'events' else p_query ->> 'measure' end),
    coalesce(p_query ->> 'top', '5')
  )
$$;
comment on function private.values_sql(text, jsonb) is
  'SQL of a measure of the rows of a source over $2 (the starts of the intervals) by value: ranges of numbers, or the values with the largest measure (of averages the most frequent ones), all others, and events without the property.';

create or replace function private.explore_counts(p_workspace_id uuid, p_query jsonb)
returns jsonb
language plpgsql
stable
-- Definer: under policies, the statement could not read the index alone.
security definer
set search_path = ''
set enable_seqscan = 'off'
set enable_bitmapscan = 'off'
set enable_nestloop = 'off'
set enable_mergejoin = 'off'
set max_parallel_workers_per_gather = 0
set work_mem = '32MB'
set jit = 'off'
as $$
declare
  v_zone text := private.exploration_zone(p_workspace_id, p_query);
  v_starts timestamptz[];
  v_source private.explored_source;
  v_reads boolean := p_query ?| array['property', 'value']
    or jsonb_array_length(coalesce(p_query #> '{event,where}', '[]')) > 0;
  v_events text;
  v_series jsonb;
  v_limits record;
begin
  if not private.is_readable(p_workspace_id, array['events:read']) then
    return null;
  end if;
  v_starts := private.interval_starts(
    p_query ->> 'interval', (p_query ->> 'since')::timestamptz, (p_query ->> 'until')::timestamptz, v_zone
  );
  select * into v_limits from private.exploration_limits();
  v_source.since := v_starts[1];
  v_source.until := (p_query ->> 'until')::timestamptz;
  v_source.has_customers := p_query ->> 'measure' = 'customers';
  v_source.reads_properties := p_query ?| array['property', 'value'];
  v_source.erased_ids := private.find_erased_identities(p_workspace_id);
  v_source.count := private.count_named_events(
    p_workspace_id, array[p_query #>> '{event,event}'], v_source.since
  );
  v_source.share := case
    when v_reads then private.share_of(v_limits.read_rows, v_source.count)
    when v_source.has_customers then private.share_of(v_limits.index_rows, v_source.count)
    else 1
  end;
  v_events := private.explored_sql(v_source, p_query -> 'event');
  execute case when p_query ? 'property' then private.values_sql(v_events, p_query)
    else private.totals_sql(v_events, p_query) end
  into v_series using p_workspace_id, v_starts;
  return jsonb_build_object(
    'zone', v_zone, 'share', v_source.share, 'series', v_series,
    'starts', (select jsonb_agg(private.rfc3339(s) order by s) from unnest(v_starts) as s)
  );
end
$$;
comment on function private.explore_counts(uuid, jsonb) is
  'Counts events or their customers over time, or adds up a number of the events: zone, share, starts, and series with their counts by the number of the interval. A share below 1 is a sample, whose counts and sums are not scaled.';
grant execute on function private.explore_counts(uuid, jsonb) to signalpost_user, signalpost_key;
