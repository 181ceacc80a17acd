-- Purpose: how many customers did a sequence of events within a time.

create or replace function private.funnel_step_sql(p_number integer, p_before text, p_within interval)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- Each event of a step carries the latest start that leads to it: no other has more time left.
  -- The step comes before the start of the same event, so that no event is two steps.
  select case p_number
    when 1 then format('select w.*, case when w.step = 1 then w.occurred_at end as s1 from (%s) as w', p_before)
    else format(
      'select
         w.*, case when w.step = %1$s and w.t%1$s >= w.occurred_at - %2$L::interval then w.t%1$s end as s%1$s
       from (
         select u.*, max(u.s%3$s) over (
           partition by u.customer_id order by u.occurred_at, u.id, u.step desc
           rows between unbounded preceding and 1 preceding
         ) as t%1$s
         from (%4$s) as u
       ) as w', p_number, p_within, p_number - 1, p_before
    )
  end
$$;
comment on function private.funnel_step_sql(integer, text, interval) is
  'SQL of the events with s1 to s<number>: the start of the passage that an event completes as this step, else null. p_before is that of the step before, or the events, each with its step.';

create or replace function private.explore_funnel(p_workspace_id uuid, p_query jsonb)
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
  v_within interval := private.read_duration(p_query ->> 'within');
  v_source private.explored_source;
  v_sources text[] := '{}';
  v_firsts text[] := '{}';
  v_counts text[] := '{}';
  v_events text;
  v_step jsonb;
  v_number integer := 0;
  v_steps jsonb;
begin
  if not private.is_readable(p_workspace_id, array['events:read']) then
    return null;
  end if;
  v_source.since := (p_query ->> 'since')::timestamptz;
  v_source.until := (p_query ->> 'until')::timestamptz;
  v_source.has_customers := true;
  v_source.count := private.count_explored(p_workspace_id, p_query -> 'steps', v_source.since);
  v_source.share := private.customer_share(v_source.count);
  v_source.people := 'people';
  for v_step in select e from jsonb_array_elements(p_query -> 'steps') as e loop
    v_number := v_number + 1;
    v_sources := v_sources || format(
      'select k.customer_id, k.occurred_at, k.id, %s as step from (%s) as k',
      v_number, private.explored_sql(v_source, v_step)
    );
    -- Both times only grow from event to event of a customer: the first of each belong together.
    v_firsts := v_firsts || format(
      'extract(epoch from min(w.occurred_at) filter (where w.s%1$s is not null) - min(w.s%1$s))::float8 as s%1$s',
      v_number
    );
    v_counts := v_counts || format(
      $sql$jsonb_build_object(
        'customers', count(c.s%1$s), 'median_seconds', percentile_disc(0.5) within group (order by c.s%1$s)
      )$sql$, v_number
    );
    -- Later steps may end after the range.
    v_source.until := (p_query ->> 'until')::timestamptz + v_within + interval '1 microsecond';
  end loop;
  v_events := array_to_string(v_sources, ' union all ');
  for v_number in 1 .. cardinality(v_sources) loop
    v_events := private.funnel_step_sql(v_number, v_events, v_within);
  end loop;
  execute format(
    'with people as materialized (%s)
     select jsonb_build_array(%s) from (select %s from (%s) as w group by w.customer_id) as c',
    private.people_sql(v_source.share), array_to_string(v_counts, ', '), array_to_string(v_firsts, ', '), v_events
  ) into v_steps using p_workspace_id;
  return jsonb_build_object('share', v_source.share, 'steps', v_steps);
end
$$;
comment on function private.explore_funnel(uuid, jsonb) is
  'Counts the customers that reached each step, in order and within the time since their first step, and the median time that they took: share and steps.';
grant execute on function private.explore_funnel(uuid, jsonb) to signalpost_user, signalpost_key;
