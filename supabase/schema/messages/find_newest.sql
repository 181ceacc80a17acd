-- Purpose: messages of one event type or about one customer, among the newest.
-- Risk:    no index has a state or a destination together with either. A page therefore looks at a
--          limited number of messages, and says where it stopped.

create or replace function private.look_at_messages(
  p_workspace_id uuid,
  p_filter private.message_filter,
  p_before private.message_position,
  p_limit integer
)
returns table (id uuid, created_at timestamptz, event_type text)
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set enable_bitmapscan = 'off'
as $$
  select m.id, m.created_at, m.event_type
  from public.webhook_messages as m
  where m.workspace_id = p_workspace_id
    and m.created_at >= (p_filter).from_at and m.created_at <= (p_before).created_at
    and m.id >= (p_filter).from_id and m.id <= (p_before).message_id
  order by m.created_at desc, m.id desc
  limit p_limit
$$;
comment on function private.look_at_messages(uuid, private.message_filter, private.message_position, integer) is
  'The newest p_limit messages of a workspace before a position.';

create or replace function private.look_at_customer(
  p_workspace_id uuid,
  p_filter private.message_filter,
  p_before private.message_position,
  p_limit integer
)
returns table (id uuid, created_at timestamptz, event_type text, is_cut boolean)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set enable_bitmapscan = 'off'
as $$
declare
  v_record_ids uuid[] := array(
    select c.id
    from (
      select (p_filter).customer_id as id
      union all
      (
        -- Messages keep the id of the record that they were about.
        select g.merged_customer_id from public.customer_merges as g
        where g.workspace_id = p_workspace_id and g.customer_id = (p_filter).customer_id
        order by g.id desc
        limit 50
      )
    ) as c
    cross join lateral (
      select from public.webhook_messages as n
      where n.workspace_id = p_workspace_id and n.customer_id = c.id
        and n.created_at >= (p_filter).from_at and n.created_at <= (p_before).created_at
        and n.id >= (p_filter).from_id and n.id <= (p_before).message_id
      limit 1
    ) as m
  );
  v_each integer := least(p_limit, 1000 / greatest(cardinality(v_record_ids), 1));
begin
  return query
  with looked_at as materialized (
    select m.*, row_number() over (partition by c.id order by m.id desc) as place
    from unnest(v_record_ids) as c (id)
    cross join lateral (
      select n.id, n.created_at, n.event_type
      from public.webhook_messages as n
      where n.workspace_id = p_workspace_id and n.customer_id = c.id
        and n.created_at >= (p_filter).from_at and n.created_at <= (p_before).created_at
        and n.id >= (p_filter).from_id and n.id <= (p_before).message_id
      order by n.created_at desc, n.id desc
      limit v_each
    ) as m
  ),
  -- Before this message, a record may have more than those that were read.
  stop as materialized (
    select l.id from looked_at as l where l.place = v_each order by l.id desc limit 1
  )
  select l.id, l.created_at, l.event_type, s.id is not null
  from looked_at as l
  left join stop as s on true
  where l.id >= coalesce(s.id, l.id)
  order by l.id desc
  limit p_limit;
end
$$;
comment on function private.look_at_customer(uuid, private.message_filter, private.message_position, integer) is
  'The newest messages about a customer and about the 50 records that were merged into it last, before a position: up to p_limit, at most 1,000. is_cut: there may be older ones.';

create or replace function private.find_at_destinations(
  p_workspace_id uuid,
  p_destination_ids uuid[],
  p_messages private.message_position[],
  p_states text[]
)
returns setof private.message_position
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  with wanted as materialized (
    select
      p_states && array['waiting', 'retrying', 'held'] as is_queued,
      p_states && array['waiting', 'missed'] as is_deferred,
      'missed' = any (p_states) as is_missed,
      'given_up' = any (p_states) as is_canceled,
      array_remove(array[
        case when 'delivered' = any (p_states) then true end,
        case when 'given_up' = any (p_states) then false end
      ], null) as outcomes
  ),
  messages as materialized (
    select p.message_id as id, p.created_at from unnest(p_messages) as p
  )
  select t.id, d.id, t.created_at
  from messages as t
  cross join wanted as w
  cross join unnest(p_destination_ids) as d (id)
  cross join lateral (
    select q.message_id from private.webhook_queue as q
    where w.is_queued and q.workspace_id = p_workspace_id and q.destination_id = d.id
      and q.message_id = t.id
    union all
    select m.message_id from public.missed_messages as m
    where w.is_missed and m.workspace_id = p_workspace_id and m.destination_id = d.id
      and m.message_created_at = t.created_at and m.message_id = t.id
    union all
    select c.message_id from public.canceled_messages as c
    where w.is_canceled and c.workspace_id = p_workspace_id and c.destination_id = d.id
      and c.message_created_at = t.created_at and c.message_id = t.id
    union all
    select f.message_id from private.fan_outs as f
    where w.is_deferred and f.workspace_id = p_workspace_id and f.message_id = t.id
      and d.id = any (f.destination_ids || f.missed_ids)
    -- One is enough, looked up by key.
    limit 1
  ) as k
  union
  select t.id, a.destination_id, t.created_at
  from messages as t
  cross join wanted as w
  cross join lateral (
    select n.destination_id
    from public.deliveries as n
    where n.workspace_id = p_workspace_id and n.message_id = t.id
      and n.attempted_at >= private.attempts_start(t.created_at)
      and n.ok = any (w.outcomes)
    offset 0
  ) as a
  where a.destination_id = any (p_destination_ids) and cardinality(w.outcomes) > 0
$$;
comment on function private.find_at_destinations(uuid, uuid[], private.message_position[], text[]) is
  'These messages at each of the destinations where they can be in one of the states.';

create or replace function private.find_newest(
  p_workspace_id uuid,
  p_destination_ids uuid[],
  p_filter private.message_filter,
  p_before private.message_position,
  p_limit integer
)
returns setof private.message_position
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  -- Every message has a destination, so a page needs no more without a filter of these. With one,
  -- each message is looked up at each destination.
  v_most integer := case
    when (p_filter).states is null and (p_filter).destination_id is null then p_limit
    else greatest(p_limit, least(1000, 20000 / greatest(cardinality(p_destination_ids), 1)))
  end;
  v_looks integer := case when (p_filter).event_type is null then v_most else 1000 end;
begin
  return query
  with looked_at as materialized (
    select l.*, count(*) over () = v_looks as is_cut
    from private.look_at_messages(p_workspace_id, p_filter, p_before, v_looks) as l
    where (p_filter).customer_id is null
    union all
    select l.id, l.created_at, l.event_type, l.is_cut or count(*) over () = v_looks
    from private.look_at_customer(p_workspace_id, p_filter, p_before, v_looks) as l
    where (p_filter).customer_id is not null
  ),
  typed as materialized (
    select l.id, l.created_at from looked_at as l
    where (p_filter).event_type is null or l.event_type = (p_filter).event_type
    order by l.id desc
    limit v_most
  )
  select f.message_id, f.destination_id, f.created_at
  from private.find_at_destinations(
    p_workspace_id, p_destination_ids,
    array(select row(t.id, null, t.created_at)::private.message_position from typed as t),
    coalesce(
      (p_filter).states, array['waiting', 'retrying', 'held', 'delivered', 'given_up', 'missed']
    )
  ) as f
  where (f.message_id, f.destination_id) < ((p_before).message_id, (p_before).destination_id)
  union all
  -- The search stopped before all destinations of the last message.
  (
    select e.id, '00000000-0000-0000-0000-000000000000', e.created_at
    from (
      select t.id, t.created_at, true as is_typed from typed as t
      where (select count(*) from typed) = v_most
      union all
      select l.id, l.created_at, false from looked_at as l where l.is_cut
    ) as e
    order by e.is_typed desc, e.id
    limit 1
  )
  order by 1 desc, 2 desc;
end
$$;
comment on function private.find_newest(uuid, uuid[], private.message_filter, private.message_position, integer) is
  'Messages of one event type or about one customer at these destinations, before a position, among the newest 1,000. Their state may differ from the filter''s. Then, without a destination, the message where the search stopped, if there may be more.';
