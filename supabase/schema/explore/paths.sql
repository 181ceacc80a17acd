-- Purpose: what customers did after an event.

create or replace function private.next_events(
  p_workspace_id uuid,
  p_starts private.path_start[],
  p_query jsonb
)
returns table (customer_id uuid, step integer, name text)
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set enable_bitmapscan = 'off'
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
as $$
  with recursive asked as (
    select
      (p_query ->> 'depth')::integer as depth, private.read_duration(p_query ->> 'within') as within,
      (p_query #>> '{start,event}') collate "C" as start
  ),
  -- Most paths are found in the first events, which are read at once.
  read as (
    select
      s.customer_id, s.occurred_at + a.within as ends_at, e.name, e.occurred_at, e.id,
      row_number() over w as place, lag(e.name, 1, a.start) over w as before
    from asked as a
    cross join unnest(p_starts) as s
    cross join lateral (
      select i.id from public.identities as i
      where i.workspace_id = p_workspace_id and i.customer_id = s.customer_id
      offset 0
    ) as i
    cross join lateral (
      select n.name, n.occurred_at, n.id
      from public.events as n
      where n.workspace_id = p_workspace_id and n.identity_id = i.id and n.name is not null
        and (n.occurred_at, n.id) > (s.occurred_at, s.id) and n.occurred_at <= s.occurred_at + a.within
      order by n.occurred_at, n.id
      limit 2 * a.depth
    ) as e
    window w as (partition by s.customer_id order by e.occurred_at, e.id)
  ),
  firsts as materialized (
    select r.*, count(*) filter (where r.name <> r.before) over (
      partition by r.customer_id order by r.place
    )::integer as step
    from asked as a
    join read as r on r.place <= 2 * a.depth
  ),
  -- From the last event that was read, each next one with another name.
  followed as (
    select f.customer_id, f.step, f.name, f.occurred_at, f.id, f.ends_at, false as is_new
    from asked as a
    join firsts as f on f.place = 2 * a.depth and f.step < a.depth
    union all
    select f.customer_id, f.step + 1, e.name, e.occurred_at, e.id, f.ends_at, true
    from followed as f
    cross join lateral (
      select n.name, n.occurred_at, n.id
      from (
        select i.id from public.identities as i
        where i.workspace_id = p_workspace_id and i.customer_id = f.customer_id
        offset 0
      ) as i
      cross join lateral (
        select r.name, r.occurred_at, r.id
        from (
          select o.name, o.occurred_at, o.id
          from public.events as o
          where o.workspace_id = p_workspace_id and o.identity_id = i.id and o.name is not null
            and (o.occurred_at, o.id) > (f.occurred_at, f.id) and o.occurred_at <= f.ends_at
          order by o.occurred_at, o.id
          -- A script may repeat an event without end.
          limit 100
        ) as r
        where r.name <> f.name limit 1
      ) as n
      order by n.occurred_at, n.id limit 1
    ) as e
    where f.step < (p_query ->> 'depth')::integer
  )
  select f.customer_id, f.step, f.name from asked as a
  join firsts as f on f.name <> f.before and f.step <= a.depth
  union all
  select f.customer_id, f.step, f.name from followed as f where f.is_new
$$;
comment on function private.next_events(uuid, private.path_start[], jsonb) is
  'The next events of each customer after a start, as many as the depth and within the time of a query. Repeats in a row count as one; after about 100 of an identity, nothing follows.';

create or replace function private.path_links(
  p_workspace_id uuid,
  p_query jsonb,
  p_starts private.path_start[]
)
returns jsonb
language sql
stable
security invoker
set search_path = ''
set enable_nestloop = 'off'
set enable_mergejoin = 'off'
as $$
  with depth as (select (p_query ->> 'depth')::integer as depth),
  followed as materialized (
    select n.* from private.next_events(p_workspace_id, p_starts, p_query) as n
  ),
  ranked as (
    select f.step, f.name, row_number() over (partition by f.step order by count(*) desc, f.name) as rank
    from followed as f
    group by f.step, f.name
  ),
  -- Each customer at each step up to the first without an event.
  named as materialized (
    select
      s.customer_id, g.step,
      case when f.name is null then 'end' when r.rank <= (p_query ->> 'top')::integer then 'event' else 'other' end as kind,
      case when r.rank <= (p_query ->> 'top')::integer then f.name end as name
    from depth as d
    cross join unnest(p_starts) as s
    cross join generate_series(1, d.depth) as g (step)
    left join followed as f on f.customer_id = s.customer_id and f.step = g.step
    left join ranked as r on r.step = f.step and r.name = f.name
    where g.step = 1 or exists (
      select from followed as b where b.customer_id = s.customer_id and b.step = g.step - 1
    )
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'step', l.step, 'from', l.source, 'to', l.target, 'customers', l.customers
  ) order by l.step, l.customers desc, l.source, l.target), '[]')
  from (
    select
      n.step,
      case when b.step is null then jsonb_build_object('kind', 'start', 'name', p_query #>> '{start,event}')
        else jsonb_build_object('kind', b.kind, 'name', b.name) end as source,
      jsonb_build_object('kind', n.kind, 'name', n.name) as target,
      count(*) as customers
    from named as n
    left join named as b on b.customer_id = n.customer_id and b.step = n.step - 1
    group by 1, 2, 3
  ) as l
$$;
comment on function private.path_links(uuid, jsonb, private.path_start[]) is
  'Counts the customers that went from each event to each next event, by step: the most frequent events, others, and end.';

create or replace function private.explore_paths(p_workspace_id uuid, p_query jsonb)
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
  v_source private.explored_source;
  v_customers bigint;
  v_starts private.path_start[];
begin
  if not private.is_readable(p_workspace_id, array['events:read']) then
    return null;
  end if;
  v_source.since := (p_query ->> 'since')::timestamptz;
  v_source.until := (p_query ->> 'until')::timestamptz;
  v_source.has_customers := true;
  v_source.count := private.count_explored(
    p_workspace_id, jsonb_build_array(p_query -> 'start'), v_source.since
  );
  v_source.share := private.customer_share(v_source.count);
  execute format(
    'with found as materialized (%s),
     firsts as materialized (
       select f.customer_id, min(f.occurred_at) as at from found as f group by 1
     ),
     -- By a hash, so that the same customers are taken each time.
     taken as (
       select f.customer_id, f.at from firsts as f order by uuid_hash(f.customer_id), f.customer_id limit $2
     )
     select
       (select count(*) from firsts),
       (
         select array_agg(row(s.customer_id, s.occurred_at, s.id)::private.path_start)
         from (
           select distinct on (t.customer_id) t.customer_id, f.occurred_at, f.id
           from taken as t
           join found as f on f.customer_id = t.customer_id and f.occurred_at = t.at
           order by t.customer_id, f.id
         ) as s
       )', private.explored_sql(v_source, p_query -> 'start')
  ) into v_customers, v_starts
  using p_workspace_id, (select l.read_rows / 6 from private.exploration_limits() as l);
  return jsonb_build_object(
    'share', case when v_customers = 0 then v_source.share
      else v_source.share * coalesce(cardinality(v_starts), 0) / v_customers end,
    'customers', coalesce(cardinality(v_starts), 0),
    'links', private.path_links(p_workspace_id, p_query, coalesce(v_starts, '{}'))
  );
end
$$;
comment on function private.explore_paths(uuid, jsonb) is
  'Follows customers after their first event of a name in the range: share, customers and links between events, by step. At most 5,000 customers are followed.';
grant execute on function private.explore_paths(uuid, jsonb) to signalpost_user, signalpost_key;
