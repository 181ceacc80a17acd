-- Purpose: which customers came back, by the period of their first event.

create or replace function private.retention_sql(p_start text, p_return text)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- $2: starts of all periods and the end of the last, $3: how many of them have cohorts, $4: periods
  -- after the first, $5: the end of the range.
  select format(
    $sql$
      with cohorts as materialized (
        select f.customer_id, f.at, width_bucket(f.at, $2::timestamptz[]) as period
        from (select s.customer_id, min(s.occurred_at) as at from (%s) as s group by 1) as f
        where f.at >= $2[1] and f.at < $5
      ),
      returns as (
        select s.customer_id, width_bucket(s.occurred_at, $2::timestamptz[]) as period, max(s.occurred_at) as at
        from (%s) as s
        group by 1, 2
      ),
      returned as materialized (
        select c.period, r.period - c.period as after, count(*) as customers
        from cohorts as c
        join returns as r on r.customer_id = c.customer_id and r.at >= c.at
        where r.period - c.period between 0 and $4
        group by 1, 2
      ),
      sizes as (select c.period, count(*) as customers from cohorts as c group by 1)
      select jsonb_agg(jsonb_build_object(
        'at', private.rfc3339($2[g]), 'customers', coalesce(s.customers, 0),
        'returned', coalesce((
          select jsonb_object_agg(r.after, r.customers) from returned as r where r.period = g
        ), '{}')
      ) order by g)
      from generate_series(1, $3) as g
      left join sizes as s on s.period = g
    $sql$, p_start, p_return
  )
$$;
comment on function private.retention_sql(text, text) is
  'SQL of the cohorts of customers by their first event of a source, with how many had an event of the other in each period after.';

create or replace function private.explore_retention(p_workspace_id uuid, p_query jsonb)
returns jsonb
language plpgsql
stable
-- Definer: as for private.explore_counts.
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
  v_interval text := p_query ->> 'interval';
  v_periods integer := (p_query ->> 'periods')::integer;
  v_until timestamptz := (p_query ->> 'until')::timestamptz;
  v_starts timestamptz[];
  v_count integer;
  v_source private.explored_source;
  v_start text;
  v_cohorts jsonb;
begin
  if not private.is_readable(p_workspace_id, array['events:read']) then
    return null;
  end if;
  v_starts := private.interval_starts(v_interval, (p_query ->> 'since')::timestamptz, v_until, v_zone);
  v_count := cardinality(v_starts);
  v_starts := (private.interval_starts(
    v_interval, v_starts[1], v_starts[v_count] + (v_periods + 2) * ('1 ' || v_interval)::interval, v_zone
  ))[:v_count + v_periods + 1];
  v_source.has_customers := true;
  v_source.count := private.count_explored(
    p_workspace_id, jsonb_build_array(p_query -> 'start', p_query -> 'return'), '-infinity'
  );
  v_source.share := private.customer_share(v_source.count);
  -- The first event ever decides: all before the end are read.
  v_source.since := '-infinity';
  v_source.until := v_until;
  v_start := private.explored_sql(v_source, p_query -> 'start');
  v_source.since := v_starts[1];
  v_source.until := v_starts[cardinality(v_starts)];
  execute private.retention_sql(v_start, private.explored_sql(v_source, p_query -> 'return'))
  into v_cohorts using p_workspace_id, v_starts, v_count, v_periods, v_until;
  return jsonb_build_object(
    'zone', v_zone, 'share', v_source.share, 'cohorts', v_cohorts,
    'starts', (select jsonb_agg(private.rfc3339(s) order by s) from unnest(v_starts) as s)
  );
end
$$;
comment on function private.explore_retention(uuid, jsonb) is
  'Cohorts of customers by the period of their first event ever, and how many of each had the other event in the same and later periods: zone, share, starts of all periods, cohorts.';
grant execute on function private.explore_retention(uuid, jsonb) to signalpost_user, signalpost_key;
