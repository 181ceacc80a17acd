-- Purpose: the messages that a caller sends to one destination to try it: a ping, or an event.
-- Locks:   the shared advisory lock of the workspace, so that no customer is erased between the
--          lookup of an event and the message about it.

create or replace function private.newest_event_payload(p_workspace_id uuid, p_name text)
returns jsonb
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select jsonb_build_object(
    'event_id', e.id,
    'customer_id', i.customer_id,
    'external_id', e.external_id,
    'anon_id', e.anon_id,
    'name', e.name,
    'occurred_at', private.rfc3339(e.occurred_at),
    'received_at', private.rfc3339(e.received_at),
    'properties', e.properties,
    'context', e.context
  )
  from public.events as e
  -- Customers that are being erased no longer have identities.
  cross join lateral (
    select n.customer_id from public.identities as n
    where n.workspace_id = e.workspace_id and n.id = e.identity_id
    limit 1
  ) as i
  where e.workspace_id = p_workspace_id and e.name = p_name
  order by e.received_at desc, e.id desc
  limit 1
$$;
comment on function private.newest_event_payload(uuid, text) is
  'The payload that a message about the newest event of this name has; null if none is stored.';

create or replace function private.payload_customer_id(p_payload jsonb)
returns uuid
language sql
immutable
security invoker
set search_path = ''
as $$
  -- Tracked events have the id, messages of the service the customer.
  select v.value::uuid
  from unnest(array[p_payload ->> 'customer_id', p_payload #>> '{customer,id}'])
    with ordinality as v (value, position)
  where v.value ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  order by v.position
  limit 1
$$;
comment on function private.payload_customer_id(jsonb) is
  'The customer that a payload names by customer_id or customer.id, or null. An erasure finds it also by an id from before a merge, so it is not looked up.';

create or replace function private.test_destination(
  p_workspace_id uuid,
  p_destination_id uuid,
  p_event_type text default 'ping',
  p_payload jsonb default null
)
returns uuid
language plpgsql
volatile
-- Definer: publishes, which callers may not do directly.
security definer
set search_path = ''
as $$
declare
  v_message private.new_message;
begin
  perform private.require_destination(p_workspace_id, p_destination_id);
  if p_event_type = 'ping' then
    return ops.send_test_ping(p_destination_id);
  end if;
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  v_message.workspace_id := p_workspace_id;
  v_message.event_type := p_event_type;
  v_message.payload := coalesce(p_payload, private.newest_event_payload(p_workspace_id, p_event_type));
  if v_message.payload is null then
    raise sqlstate 'SP404' using
      message = format('No stored event has the event_type "%s": send a payload with it', p_event_type);
  end if;
  v_message.customer_id := private.payload_customer_id(v_message.payload);
  v_message.destination_id := p_destination_id;
  return (private.store_messages(array[v_message], '{}', clock_timestamp(), 'test'))[1];
end
$$;
comment on function private.test_destination(uuid, uuid, text, jsonb) is
  'Sends a ping, or one message of this type, to the destination alone, even if it is disabled. Without a payload, the message is about the newest event of that name; raises SP404 if there is none. Returns the message''s id.';
grant execute on function private.test_destination(uuid, uuid, text, jsonb)
  to signalpost_user, signalpost_key;
