-- Purpose: messages are made in the transaction of what caused them.
-- Locks:   none on existing tables.
-- Risk:    no lock is taken on destinations, so publishers never wait. One that is disabled
--          meanwhile holds what was queued for it, and sends it when it is enabled again.
-- Undo:    drop the functions.

create function private.listening_workspaces(p_workspace_ids uuid[])
returns uuid[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return array(
    select w.id
    from unnest(p_workspace_ids) as w (id)
    where exists (select from public.destinations as d where d.workspace_id = w.id)
  );
end
$$;
comment on function private.listening_workspaces(uuid[]) is
  'Those of the workspaces that have a destination: for all others no message need be built.';

create function private.publish_messages(
  p_messages private.new_message[],
  p_now timestamptz default clock_timestamp()
)
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  -- Milliseconds are what the body shows and what a driver can hand back.
  v_now timestamptz := date_trunc('milliseconds', p_now);
  v_sent_at text := private.rfc3339(v_now);
  v_ids uuid[];
begin
  with new_messages as materialized (
    select
      private.uuid_v7(v_now, m.position::integer) as id, m.workspace_id, m.event_type,
      m.payload, m.customer_id, m.destination_id
    from unnest(p_messages) with ordinality
      as m (workspace_id, event_type, payload, customer_id, destination_id, position)
  ),
  -- A batch has few types, so each is matched once and not once a message.
  subscriptions as materialized (
    select t.workspace_id, t.event_type, d.id as destination_id, d.enabled
    from (select distinct n.workspace_id, n.event_type from new_messages as n where n.destination_id is null) as t
    join public.destinations as d on d.workspace_id = t.workspace_id
    where exists (
      select from unnest(d.event_types) as p (pattern)
      where p.pattern in ('*', t.event_type)
        or (p.pattern like '%*' and starts_with(t.event_type, left(p.pattern, -1)))
    )
  ),
  targets as materialized (
    select n.id, n.workspace_id, s.destination_id, s.enabled, 'event' as trigger
    from new_messages as n
    join subscriptions as s on s.workspace_id = n.workspace_id and s.event_type = n.event_type
    where n.destination_id is null
      -- The state of a destination is told to the others.
      and (
        n.event_type not in ('destination.failing', 'destination.disabled', 'destination.recovered')
        or s.destination_id::text <> n.payload #>> '{destination,id}'
      )
    union all
    select n.id, n.workspace_id, n.destination_id, true, 'test'
    from new_messages as n
    where n.destination_id is not null
  ),
  stored as (
    insert into public.webhook_messages (workspace_id, id, event_type, customer_id, body, created_at)
    select
      n.workspace_id, n.id, n.event_type, n.customer_id,
      '{"event_type":' || to_json(n.event_type) || ',"workspace_id":"' || n.workspace_id
        || '","payload":' || n.payload || ',"sent_at":"' || v_sent_at || '"}',
      v_now
    from new_messages as n
    where n.id in (select t.id from targets as t)
    returning id
  ),
  missed as (
    insert into public.missed_messages (workspace_id, destination_id, message_id, message_created_at)
    select t.workspace_id, t.destination_id, t.id, v_now
    from targets as t
    where not t.enabled
  ),
  queued as (
    insert into private.webhook_queue (
      workspace_id, destination_id, message_id, message_created_at, due_at, trigger, is_manual
    )
    select t.workspace_id, t.destination_id, t.id, v_now, v_now, t.trigger, t.trigger = 'test'
    from targets as t
    where t.enabled
  )
  select coalesce(array_agg(s.id), '{}') into v_ids from stored as s;
  return v_ids;
end
$$;
comment on function private.publish_messages(private.new_message[], timestamptz) is
  'Stores the messages that a destination subscribes to, body and all, and queues them; those of a disabled destination are kept as missed. Returns the ids of what was stored.';

create function private.announce_destination(
  p_destination public.destinations,
  p_event_type text,
  p_reason text,
  p_now timestamptz default clock_timestamp()
)
returns uuid[]
language sql
volatile
security invoker
set search_path = ''
as $$
  select private.publish_messages(
    array[row(
      p_destination.workspace_id,
      p_event_type,
      jsonb_build_object(
        'destination', jsonb_build_object(
          'id', p_destination.id, 'name', p_destination.name, 'url', p_destination.url
        ),
        'reason', p_reason
      ),
      null,
      null
    )::private.new_message],
    p_now
  )
$$;
comment on function private.announce_destination(public.destinations, text, text, timestamptz) is
  'Tells the workspace''s other destinations of a destination''s new state.';
