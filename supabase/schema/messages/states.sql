-- Purpose: the state of a message at each of its destinations, from the queue and the log.

create or replace function private.message_states(
  p_workspace_id uuid,
  p_positions private.message_position[],
  p_now timestamptz default clock_timestamp()
)
returns setof private.message_state
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  -- The fields of the type, in its order.
  select
    k.message_id, k.destination_id, d.name, coalesce(m.event_type, a.event_type), m.customer_id, k.created_at,
    s.state, case when s.state = 'held' then case when d.enabled then 'breaker' else 'disabled' end end,
    coalesce(a.attempt_number, q.attempts, 0),
    case
      when q.message_id is null and f.is_queued then p_now
      when s.state = 'held' and not d.enabled then null
      when s.state = 'held' then private.next_probe_at(k.destination_id, l.open_until)
      when s.state in ('waiting', 'retrying') and q.is_manual then q.due_at
      when s.state in ('waiting', 'retrying') then greatest(q.due_at, l.limited_until)
    end,
    q.claim is not null,
    case when s.state = 'given_up' and (c.canceled_at < a.attempted_at) is not true then c.canceled_at end,
    a.id, a.attempted_at, a.status_code, a.error
  from unnest(p_positions) with ordinality as k (message_id, destination_id, created_at, position)
  left join lateral (
    select n.name, n.enabled from public.destinations as n
    where n.workspace_id = p_workspace_id and n.id = k.destination_id limit 1
  ) as d on true
  left join lateral (
    select n.limited_until, n.open_until from private.lanes as n
    where n.workspace_id = p_workspace_id and n.destination_id = k.destination_id limit 1
  ) as l on true
  left join lateral (
    select n.event_type, n.customer_id from public.webhook_messages as n
    where n.workspace_id = p_workspace_id and n.id = k.message_id
      and n.created_at = k.created_at limit 1
  ) as m on true
  left join lateral (
    select n.* from private.webhook_queue as n
    where n.workspace_id = p_workspace_id and n.destination_id = k.destination_id
      and n.message_id = k.message_id limit 1
  ) as q on true
  left join lateral (
    select k.destination_id = any (n.destination_ids) as is_queued from private.fan_outs as n
    where n.workspace_id = p_workspace_id and n.message_id = k.message_id
      and k.destination_id = any (n.destination_ids || n.missed_ids) limit 1
  ) as f on true
  left join lateral (
    select true as is_missed from public.missed_messages as n
    where n.workspace_id = p_workspace_id and n.destination_id = k.destination_id
      and n.message_created_at = k.created_at and n.message_id = k.message_id limit 1
  ) as x on true
  left join lateral (
    select n.canceled_at from public.canceled_messages as n
    where n.workspace_id = p_workspace_id and n.destination_id = k.destination_id
      and n.message_created_at = k.created_at and n.message_id = k.message_id limit 1
  ) as c on true
  left join lateral (
    select o.*
    from (
      select n.id, n.event_type, n.attempt_number, n.ok, n.attempted_at, n.status_code, n.error
      from public.deliveries as n
      where n.workspace_id = p_workspace_id and n.message_id = k.message_id
        and n.destination_id = k.destination_id
        and n.attempted_at >= private.attempts_start(k.created_at)
      -- Few attempts: an index in the order of time would be walked through those of others.
      offset 0
    ) as o
    order by o.attempted_at desc, o.id desc limit 1
  ) as a on true
  cross join lateral (
    select case
      when q.message_id is not null and q.claim is null and not q.is_manual
        and (not d.enabled or l.open_until is not null) then 'held'
      when q.tries > 0 then 'retrying'
      when q.message_id is not null or f.is_queued then 'waiting'
      when x.is_missed or not f.is_queued then 'missed'
      when a.ok then 'delivered'
      else 'given_up'
    end as state
  ) as s
  where coalesce(m.event_type, a.event_type) is not null
    -- Not of the position where a search stopped.
    and (
      q.message_id is not null or a.id is not null or f.is_queued is not null or x.is_missed
      or c.canceled_at is not null
    )
  order by k.position
$$;
comment on function private.message_states(uuid, private.message_position[], timestamptz) is
  'The state of each message at its destination. waiting: its attempt is due. retrying: an attempt failed, another follows. held: by the circuit breaker, or because the destination is disabled. given_up: no attempt follows, or it was canceled. missed: the destination was disabled when it was created. Leaves out messages that are no longer stored.';

create or replace function private.matched_destinations(
  p_workspace_id uuid,
  p_message_id uuid,
  p_created_at timestamptz
)
returns uuid[]
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select array(
    select d.id
    from public.destinations as d
    where d.workspace_id = p_workspace_id
      and (
        exists (
          select from private.webhook_queue as q
          where q.workspace_id = p_workspace_id and q.destination_id = d.id
            and q.message_id = p_message_id
        )
        or exists (
          select from public.missed_messages as m
          where m.workspace_id = p_workspace_id and m.destination_id = d.id
            and m.message_created_at = p_created_at and m.message_id = p_message_id
        )
        or exists (
          select from public.canceled_messages as c
          where c.workspace_id = p_workspace_id and c.destination_id = d.id
            and c.message_created_at = p_created_at and c.message_id = p_message_id
        )
      )
    union
    select t.id
    from private.fan_outs as f
    cross join unnest(f.destination_ids || f.missed_ids) as t (id)
    where f.workspace_id = p_workspace_id and f.message_id = p_message_id
    union
    select n.destination_id
    from public.deliveries as n
    where n.workspace_id = p_workspace_id and n.message_id = p_message_id
      and n.attempted_at >= private.attempts_start(p_created_at)
  )
$$;
comment on function private.matched_destinations(uuid, uuid, timestamptz) is
  'The destinations that a message of this time is or was for, those that only wait for it included.';

create or replace function private.read_message_states(p_workspace_id uuid, p_message_id uuid)
returns setof private.message_state
language sql
stable
-- Definer: callers may not read the queue.
security definer
set search_path = ''
as $$
  select s.*
  from (
    select private.uuid_v7_time(p_message_id) as created_at
    where p_workspace_id = private.key_workspace_id(array['deliveries:read', 'deliveries:write'])
      or p_workspace_id in (select private.member_workspace_ids())
    offset 0
  ) as m
  cross join lateral private.message_states(p_workspace_id, array(
    select row(p_message_id, d.id, m.created_at)::private.message_position
    from unnest(
      private.matched_destinations(p_workspace_id, p_message_id, m.created_at)
    ) as d (id)
  )) as s
  order by s.destination_name, s.destination_id
$$;
comment on function private.read_message_states(uuid, uuid) is
  'The state of a message at every destination that it matched, for callers of the workspace; no rows for an unknown message.';
grant execute on function private.read_message_states(uuid, uuid) to signalpost_user, signalpost_key;
