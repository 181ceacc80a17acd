-- Purpose: what happens to a send, as events on the timeline of its customer.

create or replace function private.newest_identity(p_workspace_id uuid, p_customer_id uuid)
returns public.identities
language sql
stable
security invoker
set search_path = ''
as $$
  select i.*
  from public.identities as i
  where i.workspace_id = p_workspace_id and i.customer_id = p_customer_id
  order by i.created_at desc, i.id desc
  limit 1
$$;
comment on function private.newest_identity(uuid, uuid) is
  'The identity of a customer that was added last.';

create or replace function private.find_send(p_workspace_id uuid, p_send_id uuid)
returns public.sends
language sql
stable
security invoker
set search_path = ''
as $$
  select s.*
  from public.sends as s
  where s.workspace_id = p_workspace_id and s.queued_at = private.uuid_v7_time(p_send_id)
    and s.id = p_send_id
$$;
comment on function private.find_send(uuid, uuid) is
  'A send by its id, in the one partition that the id names; null if there is none.';

create or replace function private.send_properties(p_send public.sends)
returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'send_id', p_send.id,
    'template_id', p_send.template_id,
    'campaign_id', p_send.campaign_id,
    'journey_id', p_send.journey_id,
    'run_id', p_send.run_id,
    'topic', (
      select t.key from public.topics as t
      where t.workspace_id = p_send.workspace_id and t.id = p_send.topic_id
    ),
    'email', p_send.email
  ))
$$;
comment on function private.send_properties(public.sends) is
  'The properties that every event about a send has.';

create or replace function private.record_engagements(p_entries jsonb)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_inputs jsonb;
begin
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'workspace_id', s.workspace_id,
    'kind', 'event',
    'external_id', case i.kind when 'external' then i.value end,
    'anon_id', case i.kind when 'anon' then i.value end,
    'name', e.name,
    'occurred_at', private.rfc3339(e.at),
    'properties', private.send_properties(s) || coalesce(e.properties, '{}'),
    'idempotency_key', concat_ws(':', e.name, s.id, e.suffix),
    -- What follows from an event of this depth is one deeper: see private.note_events.
    'depth', nullif(s.depth, 0)
  )) order by e.ordinality)
  into v_inputs
  from rows from (
    jsonb_to_recordset(p_entries) as (
      workspace_id uuid, send_id uuid, name text, at timestamptz, properties jsonb, suffix text
    )
  ) with ordinality as e
  cross join lateral private.find_send(e.workspace_id, e.send_id) as s
  cross join lateral private.newest_identity(s.workspace_id, s.customer_id) as i
  where s.id is not null and i.id is not null and not s.is_test;
  if v_inputs is null then
    return 0;
  end if;
  perform private.ingest(v_inputs::text);
  return jsonb_array_length(v_inputs);
end
$$;
comment on function private.record_engagements(jsonb) is
  'Stores events about sends: a JSON array of { workspace_id, send_id, name, at, properties, suffix }. The idempotency key is the name, the send and the suffix. Returns how many have a customer; 40001: send it again.';
