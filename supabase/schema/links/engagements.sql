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
-- One statement for a batch: no function with a query of its own is called per row.
set enable_seqscan = 'off'
as $$
declare
  v_inputs jsonb;
begin
  -- As private.ingest. An erasure that has begun ends first: afterwards the customer has no
  -- identity, and nothing is stored that would bring the customer back.
  perform pg_advisory_xact_lock_shared(private.workspace_lock(w))
  from (
    select distinct e.workspace_id
    from jsonb_to_recordset(p_entries) as e (workspace_id uuid)
    order by 1
  ) as k (w);
  with wanted as materialized (
    select e.ordinality, e.name, e.at, e.properties, e.suffix, s.*
    from rows from (
      jsonb_to_recordset(p_entries) as (
        workspace_id uuid, send_id uuid, queued_at timestamptz, name text, at timestamptz,
        properties jsonb, suffix text
      )
    ) with ordinality as e (
      tenant_id, send_id, known_at, name, at, properties, suffix, ordinality
    )
    cross join lateral (
      select
        n.id, n.workspace_id, n.customer_id, n.template_id, n.campaign_id, n.journey_id, n.run_id,
        n.topic_id, n.email, n.depth
      from public.sends as n
      where n.workspace_id = e.tenant_id
        and n.queued_at = coalesce(e.known_at, private.uuid_v7_time(e.send_id))
        and n.id = e.send_id and n.purpose = 'message'
      limit 1
    ) as s
  )
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'workspace_id', w.workspace_id,
    'kind', 'event',
    'external_id', case i.kind when 'external' then i.value end,
    'anon_id', case i.kind when 'anon' then i.value end,
    'name', w.name,
    'occurred_at', private.rfc3339(w.at),
    -- As private.send_properties.
    'properties', jsonb_build_object(
      'send_id', w.id, 'template_id', w.template_id, 'campaign_id', w.campaign_id,
      'journey_id', w.journey_id, 'run_id', w.run_id, 'topic', t.key, 'email', w.email
    ) || coalesce(w.properties, '{}'),
    'idempotency_key', concat_ws(':', w.name, w.id, w.suffix),
    -- What follows from an event of this depth is one deeper: see private.note_events.
    'depth', nullif(w.depth, 0)
  )) order by w.ordinality)
  into v_inputs
  from wanted as w
  -- As private.newest_identity.
  cross join lateral (
    select k.kind, k.value
    from public.identities as k
    where k.workspace_id = w.workspace_id and k.customer_id = w.customer_id
    order by k.created_at desc, k.id desc
    limit 1
  ) as i
  left join lateral (
    select o.key from public.topics as o
    where o.workspace_id = w.workspace_id and o.id = w.topic_id
    limit 1
  ) as t on true;
  if v_inputs is null then
    return 0;
  end if;
  perform private.ingest(v_inputs::text);
  return jsonb_array_length(v_inputs);
end
$$;
comment on function private.record_engagements(jsonb) is
  'Stores events about sends: a JSON array of { workspace_id, send_id, name, at, properties, suffix }, and queued_at of the send where it is known. The idempotency key is the name, the send and the suffix. Returns the number that have a customer. Retry on 40001.';
