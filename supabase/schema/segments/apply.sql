-- Purpose: writes the memberships that follow from answers, and what they cause.
-- Locks:   the caller holds the lane of the workspace.

create or replace function private.pick_truths(
  p_truths private.segment_truth[],
  p_wanted private.segment_truth[]
)
returns private.segment_truth[]
language plpgsql
stable
security invoker
set search_path = ''
-- By hash: the planner takes both lists for short.
set enable_nestloop = 'off'
as $$
begin
  return array(
    select t
    from unnest(p_truths) as t
    join unnest(p_wanted) as w on w.segment_id = t.segment_id and w.customer_id = t.customer_id
  );
end
$$;
comment on function private.pick_truths(private.segment_truth[], private.segment_truth[]) is
  'Those of the answers that are about the wanted pairs of segment and customer.';

create or replace function private.write_members(
  p_workspace_id uuid,
  p_truths private.segment_truth[],
  p_now timestamptz
)
returns private.segment_truth[]
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
-- By key, one at a time: the members may be millions.
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
as $$
declare
  v_flips private.segment_truth[];
begin
  with truths as materialized (
    select t.*, s.version
    from unnest(p_truths) as t
    cross join lateral (
      select x.computed_version as version from public.segments as x
      where x.workspace_id = p_workspace_id and x.id = t.segment_id limit 1
    ) as s
  ),
  come as (
    insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
    select p_workspace_id, t.segment_id, t.version, t.customer_id, p_now
    from truths as t
    where t.holds
    order by 2, 3, 4
    on conflict do nothing
    returning segment_id, customer_id
  ),
  gone as (
    delete from public.segment_members as m
    -- By ctid alone: any other condition would let the planner scan an index instead.
    where m.ctid = any (array(
      select o.ctid
      from truths as t
      cross join lateral (
        select o.ctid from public.segment_members as o
        where o.workspace_id = p_workspace_id and o.segment_id = t.segment_id and o.version = t.version
          and o.customer_id = t.customer_id
        limit 1
      ) as o
      where not t.holds
    ))
    returning m.segment_id, m.customer_id
  ),
  armed as (
    insert into private.segment_checks as k (workspace_id, customer_id, segment_id, check_at)
    select p_workspace_id, t.customer_id, t.segment_id, t.until
    from truths as t
    left join lateral (
      select o.check_at from private.segment_checks as o
      where o.workspace_id = p_workspace_id and o.customer_id = t.customer_id and o.segment_id = t.segment_id
      limit 1
    ) as o on true
    -- A timer may be early, and then is set again: most news moves it later.
    where t.until < 'infinity' and t.until < coalesce(o.check_at, 'infinity')
    order by 2, 3
    on conflict (workspace_id, customer_id, segment_id) do update
    set check_at = excluded.check_at
    where k.check_at > excluded.check_at
  )
  select array_agg(row(f.segment_id, f.customer_id, null, null, null)::private.segment_truth)
  into v_flips
  from (
    select c.segment_id, c.customer_id from come as c
    union all
    select g.segment_id, g.customer_id from gone as g
  ) as f;
  return coalesce(v_flips, '{}');
end
$$;
comment on function private.write_members(uuid, private.segment_truth[], timestamptz) is
  'Brings the members of the newest versions in line with the answers, and sets timers. Returns the pairs of segment and customer that changed.';

create or replace function private.tell_flips(
  p_workspace_id uuid,
  p_flips private.segment_truth[],
  p_now timestamptz
)
returns private.segment_truth[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_subscriptions private.subscription[] := private.match_subscriptions(
    array[p_workspace_id, p_workspace_id], array['segment.entered', 'segment.left']
  );
  v_messages private.new_message[];
  v_told private.segment_truth[];
begin
  if cardinality(v_subscriptions) = 0 then
    return array(
      select f
      from unnest(p_flips) as f
      where exists (
        select from public.customers as c where c.workspace_id = p_workspace_id and c.id = f.customer_id
      )
    );
  end if;
  select
    coalesce(array_agg(row(
      p_workspace_id, case when f.holds then 'segment.entered' else 'segment.left' end,
      jsonb_build_object(
        'segment', jsonb_build_object('id', s.id, 'name', s.name), 'customer', d.document, 'cause', f.cause
      ),
      f.customer_id, null
    )::private.new_message order by f.position), '{}'),
    coalesce(array_agg(
      row(f.segment_id, f.customer_id, f.cause, f.holds, f.until)::private.segment_truth order by f.position
    ), '{}')
  into v_messages, v_told
  from unnest(p_flips) with ordinality as f (segment_id, customer_id, cause, holds, until, position)
  join public.segments as s on s.workspace_id = p_workspace_id and s.id = f.segment_id
  join private.customer_documents(
    p_workspace_id, array(select distinct g.customer_id from unnest(p_flips) as g)
  ) as d on d.customer_id = f.customer_id;
  perform private.store_messages(v_messages, v_subscriptions, p_now);
  return v_told;
end
$$;
comment on function private.tell_flips(uuid, private.segment_truth[], timestamptz) is
  'Publishes segment.entered and segment.left for the destinations that subscribe to them. Returns the changes of customers who are still there: a merge or an erasure may have just removed one.';

create or replace function private.record_flips(
  p_workspace_id uuid,
  p_segment_ids uuid[],
  p_flips private.segment_truth[],
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into public.segment_stats as t (workspace_id, segment_id, hour, entered, "left", members)
  select
    p_workspace_id, s.id, date_trunc('hour', p_now, 'UTC'), coalesce(f.entered, 0), coalesce(f.gone, 0), s.members
  from public.segments as s
  left join (
    select v.segment_id, count(*) filter (where v.holds) as entered, count(*) filter (where not v.holds) as gone
    from unnest(p_flips) as v
    group by v.segment_id
  ) as f on f.segment_id = s.id
  where s.workspace_id = p_workspace_id and s.id = any (p_segment_ids) and s.state = 'ready'
  on conflict (workspace_id, segment_id, hour) do update
  set entered = t.entered + excluded.entered, "left" = t."left" + excluded."left", members = excluded.members;
  insert into public.segment_changes (workspace_id, at, id, segment_id, customer_id, change, cause)
  select
    p_workspace_id, p_now, private.uuid_v7(p_now, f.position::integer), f.segment_id, f.customer_id,
    case when f.holds then 'entered' else 'left' end, f.cause
  from unnest(p_flips) with ordinality as f (segment_id, customer_id, cause, holds, until, position);
end
$$;
comment on function private.record_flips(uuid, uuid[], private.segment_truth[], timestamptz) is
  'Lists changes, adds them to the figures of this hour, and notes how many members these segments now have.';

create or replace function private.apply_truths(
  p_workspace_id uuid,
  p_truths private.segment_truth[],
  p_now timestamptz
)
returns private.segment_truth[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_flips private.segment_truth[] := private.write_members(p_workspace_id, p_truths, p_now);
  v_told private.segment_truth[];
begin
  if cardinality(v_flips) = 0 then
    return v_flips;
  end if;
  v_flips := private.pick_truths(p_truths, v_flips);
  v_told := array(
    select f
    from unnest(v_flips) as f
    where (
      select s.state from public.segments as s where s.workspace_id = p_workspace_id and s.id = f.segment_id
    ) = 'ready'
  );
  with f as materialized (
    select v.segment_id, count(*) filter (where v.holds) as entered, count(*) filter (where not v.holds) as gone
    from unnest(v_flips) as v
    group by v.segment_id
  )
  update public.segments as s
  set
    members = s.members + case when s.state = 'ready' then f.entered - f.gone else 0 end,
    computed_members = s.computed_members + f.entered - f.gone
  from f
  where s.workspace_id = p_workspace_id and s.id = f.segment_id;
  if cardinality(v_told) > 0 then
    v_told := private.tell_flips(p_workspace_id, v_told, p_now);
    perform private.record_flips(
      p_workspace_id, array(select distinct f.segment_id from unnest(v_flips) as f), v_told, p_now
    );
  end if;
  return v_told;
end
$$;
comment on function private.apply_truths(uuid, private.segment_truth[], timestamptz) is
  'Writes memberships, figures, changes and messages that follow from answers. Returns the changes of segments that are not being computed.';
