-- Purpose: how many customers did a sequence of events within a time.

create or replace function private.funnel_step_sql(p_number integer, p_source text, p_within interval)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- Each event of a step carries the latest start that leads to it: no other has more time left.
  -- The step comes before the start of the same event, so that no event is two steps.
  select case p_number
    when 1 then format(
      'a1 as materialized (
         select s.customer_id, s.occurred_at, s.id, s.occurred_at as started_at from (%s) as s
       )', p_source
    )
    else format(
      'a%1$s as materialized (
         select w.customer_id, w.occurred_at, w.id, w.started_at
         from (
           select u.customer_id, u.occurred_at, u.id, u.is_step, max(u.started_at) over (
             partition by u.customer_id order by u.occurred_at, u.id, u.is_step desc
             rows between unbounded preceding and 1 preceding
           ) as started_at
           from (
             select p.customer_id, p.occurred_at, p.id, p.started_at, false as is_step from a%2$s as p
             union all
             select s.customer_id, s.occurred_at, s.id, null, true
             from (%3$s) as s
             where s.customer_id in (select p.customer_id from a%2$s as p)
           ) as u
         ) as w
         where w.is_step and w.started_at >= w.occurred_at - %4$L::interval
       )', p_number, p_number - 1, p_source, p_within
    )
  end
$$;
comment on function private.funnel_step_sql(integer, text, interval) is
  'A part of a "with": the events of a source that complete a step of a funnel, with the start of their passage.';

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
  v_parts text[] := '{}';
  v_counts text[] := '{}';
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
  for v_step in select e from jsonb_array_elements(p_query -> 'steps') as e loop
    v_number := v_number + 1;
    v_parts := v_parts || private.funnel_step_sql(
      v_number, private.explored_sql(v_source, v_step), v_within
    );
    -- Both times only grow from event to event of a customer: the first of each belong together.
    v_counts := v_counts || format(
      'select %s as step, count(*) as customers,
         percentile_disc(0.5) within group (order by c.seconds) as median_seconds
       from (
         select extract(epoch from min(a.occurred_at) - min(a.started_at))::float8 as seconds
         from a%1$s as a group by a.customer_id
       ) as c', v_number
    );
    -- Later steps may end after the range.
    v_source.until := (p_query ->> 'until')::timestamptz + v_within + interval '1 microsecond';
  end loop;
  execute format(
    'with %s select jsonb_agg(to_jsonb(r) - ''step'' order by r.step) from (%s) as r',
    array_to_string(v_parts, ', '), array_to_string(v_counts, ' union all ')
  ) into v_steps using p_workspace_id;
  return jsonb_build_object('share', v_source.share, 'steps', v_steps);
end
$$;
comment on function private.explore_funnel(uuid, jsonb) is
  'Counts the customers that reached each step, in order and within the time since their first step, and the median time that they took: share and steps.';
grant execute on function private.explore_funnel(uuid, jsonb) to signalpost_user, signalpost_key;
