-- Purpose: the list of messages by destination, newest first, from indexes of the queue and the log.
-- Risk:    no index has a state together with an event type or a customer: see find_newest.sql.

create or replace function private.first_message_id(p_at timestamptz)
returns uuid
language sql
immutable
security invoker
set search_path = ''
as $$
  select (
    lpad(to_hex(ceil(extract(epoch from p_at) * 1000)::bigint), 12, '0') || '70008000000000000000'
  )::uuid
$$;
comment on function private.first_message_id(timestamptz) is
  'The lowest version 7 UUID of a time: messages with this id or a higher one were created at or after it.';
grant execute on function private.first_message_id(timestamptz) to signalpost_user, signalpost_key;

create or replace function private.find_queued(
  p_workspace_id uuid,
  p_destination_ids uuid[],
  p_filter private.message_filter,
  p_before private.message_position,
  p_limit integer
)
returns setof private.message_position
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set enable_bitmapscan = 'off'
as $$
  select q.message_id, d.id, q.message_created_at
  from unnest(p_destination_ids) as d (id)
  left join private.lanes as l on l.workspace_id = p_workspace_id and l.destination_id = d.id
  cross join lateral (
    select n.message_id, n.message_created_at
    from private.webhook_queue as n
    where n.workspace_id = p_workspace_id and n.destination_id = d.id
      and n.message_id >= (p_filter).from_id and n.message_id <= (p_before).message_id
      and (n.message_id < (p_before).message_id or d.id < (p_before).destination_id)
      and (
        (p_filter).states is null
        or case
          when n.claim is null and not n.is_manual
            and (not l.is_enabled or l.open_until is not null) then 'held'
          when n.tries > 0 then 'retrying'
          else 'waiting'
        end = any ((p_filter).states)
      )
    order by n.message_id desc
    limit p_limit
  ) as q
  where (p_filter).states is null or (p_filter).states && array['waiting', 'retrying', 'held']
  union
  select f.message_id, d.id, f.message_created_at
  from (
    select n.message_id, n.message_created_at, n.destination_ids, n.missed_ids
    from private.fan_outs as n
    where n.workspace_id = p_workspace_id
      and n.message_id >= (p_filter).from_id and n.message_id <= (p_before).message_id
      and p_destination_ids && (n.destination_ids || n.missed_ids)
    order by n.message_id desc
    limit p_limit
  ) as f
  cross join unnest(p_destination_ids) as d (id)
  where (f.message_id < (p_before).message_id or d.id < (p_before).destination_id)
    and (
      d.id = any (f.destination_ids)
        and ((p_filter).states is null or 'waiting' = any ((p_filter).states))
      or d.id = any (f.missed_ids)
        and ((p_filter).states is null or 'missed' = any ((p_filter).states))
    )
$$;
comment on function private.find_queued(uuid, uuid[], private.message_filter, private.message_position, integer) is
  'Messages that wait for these destinations, before a position: up to p_limit of each.';

create or replace function private.find_decided(
  p_workspace_id uuid,
  p_destination_ids uuid[],
  p_filter private.message_filter,
  p_before private.message_position,
  p_limit integer
)
returns setof private.message_position
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set enable_bitmapscan = 'off'
-- The indexes have the order: sorting would read all messages for every page.
set enable_sort = 'off'
set enable_hashagg = 'off'
as $$
  select m.message_id, d.id, m.message_created_at
  from unnest(p_destination_ids) as d (id)
  cross join lateral (
    select n.message_id, n.message_created_at
    from public.missed_messages as n
    where n.workspace_id = p_workspace_id and n.destination_id = d.id
      and n.message_created_at >= (p_filter).from_at
      and n.message_created_at <= (p_before).created_at
      and (n.message_id, n.destination_id) < ((p_before).message_id, (p_before).destination_id)
    order by n.message_created_at desc, n.message_id desc
    limit p_limit
  ) as m
  where (p_filter).states is null or 'missed' = any ((p_filter).states)
  union all
  select c.message_id, d.id, c.message_created_at
  from unnest(p_destination_ids) as d (id)
  cross join lateral (
    select n.message_id, n.message_created_at
    from public.canceled_messages as n
    where n.workspace_id = p_workspace_id and n.destination_id = d.id
      and n.message_created_at >= (p_filter).from_at
      and n.message_created_at <= (p_before).created_at
      and (n.message_id, n.destination_id) < ((p_before).message_id, (p_before).destination_id)
    order by n.message_created_at desc, n.message_id desc
    limit p_limit
  ) as c
  where (p_filter).states is null or 'given_up' = any ((p_filter).states)
  union all
  select a.message_id, d.id, a.message_created_at
  from unnest(p_destination_ids) as d (id)
  cross join (values (true, 'delivered'), (false, 'given_up')) as o (ok, state)
  cross join lateral (
    -- A message that was replayed has been decided more than once.
    select n.message_id, min(n.message_created_at) as message_created_at
    from public.deliveries as n
    where n.workspace_id = p_workspace_id and n.destination_id = d.id and n.ok = o.ok
      and n.next_attempt_at is null
      and n.attempted_at >= private.attempts_start((p_filter).from_at)
      and n.message_id >= (p_filter).from_id and n.message_id <= (p_before).message_id
      and (n.message_id < (p_before).message_id or d.id < (p_before).destination_id)
    group by n.message_id
    order by n.message_id desc
    limit p_limit
  ) as a
  where (p_filter).states is null or o.state = any ((p_filter).states)
$$;
comment on function private.find_decided(uuid, uuid[], private.message_filter, private.message_position, integer) is
  'Messages that these destinations missed, or that were delivered, given up or canceled, before a position: up to p_limit of each kind, some twice.';

create or replace function private.find_messages(
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
set enable_seqscan = 'off'
as $$
declare
  v_filter private.message_filter := p_filter;
  v_oldest record;
  v_has_more boolean := false;
begin
  if v_filter.event_type is not null or v_filter.customer_id is not null then
    return query select * from private.find_newest(
      p_workspace_id, p_destination_ids, p_filter, p_before, p_limit
    );
    return;
  end if;
  if v_filter.states is null and v_filter.destination_id is null then
    -- Every message had a destination, so this many fill the page unless some were deleted.
    select m.id, m.created_at, count(*) over () > p_limit as has_more into v_oldest
    from (
      select n.id, n.created_at
      from public.webhook_messages as n
      where n.workspace_id = p_workspace_id
        and n.created_at >= (p_filter).from_at and n.created_at <= (p_before).created_at
        and n.id >= (p_filter).from_id and n.id <= (p_before).message_id
      order by n.created_at desc, n.id desc
      limit p_limit + 1
    ) as m
    order by m.id
    limit 1;
    v_filter.from_id := coalesce(v_oldest.id, v_filter.from_id);
    v_filter.from_at := coalesce(v_oldest.created_at, v_filter.from_at);
    v_has_more := coalesce(v_oldest.has_more, false);
  end if;
  return query
  select f.*
  from (
    select * from private.find_queued(p_workspace_id, p_destination_ids, v_filter, p_before, p_limit)
    union
    select * from private.find_decided(p_workspace_id, p_destination_ids, v_filter, p_before, p_limit)
    union
    select v_filter.from_id, '00000000-0000-0000-0000-000000000000', v_filter.from_at
    where v_has_more
  ) as f
  order by f.message_id desc, f.destination_id desc
  limit p_limit;
end
$$;
comment on function private.find_messages(uuid, uuid[], private.message_filter, private.message_position, integer) is
  'Up to p_limit messages at these destinations, before a position, newest first. Their state may differ from the filter''s. The last one has no destination if the search stopped there and there may be more.';

create or replace function private.list_messages(
  p_workspace_id uuid,
  p_filter private.message_filter,
  p_before private.message_position,
  p_limit integer
)
returns setof private.message_state
language plpgsql
stable
-- Definer: callers may not read the queue.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_destination_ids uuid[] := array[(p_filter).destination_id];
  v_found private.message_position[];
  v_last private.message_position;
  v_count integer;
begin
  if not coalesce(
    p_workspace_id = private.key_workspace_id(array['deliveries:read', 'deliveries:write'])
      or p_workspace_id in (select private.member_workspace_ids()),
    false
  ) then
    return;
  end if;
  if (p_filter).destination_id is null then
    v_destination_ids := array(
      select d.id from public.destinations as d where d.workspace_id = p_workspace_id
    );
  end if;
  v_found := array(
    select f::private.message_position
    from private.find_messages(p_workspace_id, v_destination_ids, p_filter, p_before, p_limit) as f
    limit p_limit
  );
  v_last := v_found[cardinality(v_found)];
  return query
  select s.*
  from private.message_states(p_workspace_id, v_found) as s
  where (p_filter).states is null or s.state = any ((p_filter).states);
  get diagnostics v_count = row_count;
  if v_count < p_limit and (
    cardinality(v_found) = p_limit or v_last.destination_id = '00000000-0000-0000-0000-000000000000'
  ) then
    return query
    select (r.r).*
    from (
      select row(
        v_last.message_id, v_last.destination_id,
        null, null, null, null, null, null, null, null, null, null, null, null, null, null
      )::private.message_state as r
    ) as r;
  end if;
end
$$;
comment on function private.list_messages(uuid, private.message_filter, private.message_position, integer) is
  'Messages of a workspace at the destinations that exist, or at one, newest first, for callers of the workspace. The last row has no state if the page is short and there may be more: it is the position to continue at.';
grant execute on function private.list_messages(uuid, private.message_filter, private.message_position, integer)
  to signalpost_user, signalpost_key;
