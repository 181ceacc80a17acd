-- Purpose: what the recipient of a message says about topics, through the links in it.
-- Locks:   those of private.ingest, the send, then rows of private.consents in the order of their key.

create or replace function private.find_linked(p_workspace_id uuid, p_send_id uuid)
returns table (channel text, address_hash bytea, topic_id uuid, customer_id uuid)
language sql
stable
security invoker
set search_path = ''
as $$
  select s.channel, private.address_hash(s.workspace_id, s.channel, s.email), s.topic_id, s.customer_id
  from private.find_send(p_workspace_id, p_send_id) as s
  where s.email is not null
  union all
  select 'email', e.address_hash, e.topic_id, null
  from private.erased_sends as e
  where e.workspace_id = p_workspace_id and e.send_id = p_send_id
$$;
comment on function private.find_linked(uuid, uuid) is
  'The address of a send as a hash, its topic, and its customer unless the customer was erased.';

create or replace function private.find_preferences(p_workspace_id uuid, p_send_id uuid)
returns jsonb
language sql
stable
-- Definer: callers may ask about links whose token they verified, and read no table.
security definer
set search_path = ''
set jit = 'off'
as $$
  select jsonb_build_object(
    'workspace', w.name,
    'locale', c.locale,
    'topic_id', s.topic_id,
    'topics', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', t.id, 'name', t.name, 'description', t.description, 'subscribed', a.subscribed
      ) order by t.name, t.id)
      from private.address_states(p_workspace_id, s.channel, array[s.address_hash]) as a
      join public.topics as t on t.workspace_id = p_workspace_id and t.id = a.topic_id
    ), '[]')
  )
  from private.find_linked(p_workspace_id, p_send_id) as s
  join public.workspaces as w on w.id = p_workspace_id
  left join public.customers as c on c.workspace_id = p_workspace_id and c.id = s.customer_id
$$;
comment on function private.find_preferences(uuid, uuid) is
  'The contents of the page of a send: name of the workspace, locale of the customer, the topic of the send, and all topics with the state of its address. Null for a send that is gone.';
revoke execute on function private.find_preferences(uuid, uuid) from public;
grant execute on function private.find_preferences(uuid, uuid) to signalpost_links;

create or replace function private.consent_events(p_send public.sends, p_changes jsonb, p_now timestamptz)
returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  with states as materialized (
    select a.topic_id, a.subscribed
    from private.address_states(
      p_send.workspace_id, p_send.channel,
      array[private.address_hash(p_send.workspace_id, p_send.channel, p_send.email)]
    ) as a
  ),
  changed as (
    select c.subscribed, t.key
    from jsonb_to_recordset(p_changes) as c (topic_id uuid, subscribed boolean)
    left join states as s on s.topic_id = c.topic_id
    left join public.topics as t on t.workspace_id = p_send.workspace_id and t.id = c.topic_id
    where s.subscribed <> c.subscribed
      or c.topic_id is null and (
        exists (select from states as x where x.subscribed)
        or not exists (
          select from private.consents as k
          where k.workspace_id = p_send.workspace_id and k.channel = p_send.channel
            and k.address_hash = private.address_hash(p_send.workspace_id, p_send.channel, p_send.email)
            and k.topic_id = private.all_topics()
        )
      )
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'workspace_id', p_send.workspace_id,
    'send_id', p_send.id,
    'name', case when c.subscribed then 'subscribed' else 'unsubscribed' end,
    'at', p_now,
    -- Everything was withdrawn if there is no topic.
    'properties', jsonb_build_object('topic', c.key),
    'suffix', concat_ws(':', c.key, floor(extract(epoch from p_now) * 1000))
  )), '[]')
  from changed as c
$$;
comment on function private.consent_events(public.sends, jsonb, timestamptz) is
  'The events about those of the changes that change the state of the address of a send, for private.record_engagements.';

create or replace function private.set_erased_preferences(
  p_workspace_id uuid,
  p_send_id uuid,
  p_changes jsonb,
  p_now timestamptz
)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_sent private.erased_sends;
begin
  select e.* into v_sent
  from private.erased_sends as e
  where e.workspace_id = p_workspace_id and e.send_id = p_send_id;
  if not found then
    return false;
  end if;
  perform private.set_consents(p_workspace_id, (
    select jsonb_agg(jsonb_build_object(
      'address_hash', encode(v_sent.address_hash, 'hex'), 'topic_id', t.id, 'subscribed', c.subscribed,
      'source', 'link'
    ))
    from jsonb_to_recordset(
      coalesce(p_changes, jsonb_build_array(jsonb_build_object('topic_id', v_sent.topic_id, 'subscribed', false)))
    ) as c (topic_id uuid, subscribed boolean)
    left join public.topics as t on t.workspace_id = p_workspace_id and t.id = c.topic_id
    -- Without a topic, or with one that is gone, everything is withdrawn, and nothing is granted.
    where t.id is not null or not c.subscribed and (c.topic_id is null or p_changes is null)
  ), p_now);
  return true;
end
$$;
comment on function private.set_erased_preferences(uuid, uuid, jsonb, timestamptz) is
  'Records what the recipient of a message chooses after the erasure of the customer: see private.set_preferences. Stores no event.';

create or replace function private.set_preferences(
  p_workspace_id uuid,
  p_send_id uuid,
  p_changes jsonb,
  p_now timestamptz default clock_timestamp()
)
returns boolean
language plpgsql
volatile
-- Definer: callers may write for an address whose token they verified, and write no table.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_send public.sends;
  v_changes jsonb;
  v_events jsonb;
begin
  -- In the order of private.ingest and of erasures: workspace, then send.
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  select s.* into v_send
  from public.sends as s
  where s.workspace_id = p_workspace_id and s.queued_at = private.uuid_v7_time(p_send_id)
    and s.id = p_send_id
  for no key update;
  if not found then
    return private.set_erased_preferences(p_workspace_id, p_send_id, p_changes, p_now);
  elsif v_send.email is null then
    return false;
  end if;
  v_changes := coalesce(p_changes, jsonb_build_array(jsonb_build_object(
    'subscribed', false, 'topic_id', (
      select t.id from public.topics as t
      where t.workspace_id = p_workspace_id and t.id = v_send.topic_id
    )
  )));
  v_events := private.consent_events(v_send, v_changes, p_now);
  perform private.set_consents(p_workspace_id, (
    select jsonb_agg(jsonb_build_object(
      'address', a.email, 'topic_id', c.topic_id, 'subscribed', c.subscribed, 'source', 'link'
    ))
    from jsonb_to_recordset(v_changes) as c (topic_id uuid, subscribed boolean)
    cross join lateral (
      select v_send.email
      union
      -- As if it had been said before the customer got another address.
      select k.email from public.customers as k
      where k.workspace_id = p_workspace_id and k.id = v_send.customer_id
        and k.email is not null and not c.subscribed
    ) as a
    where c.topic_id is null and not c.subscribed or exists (
      select from public.topics as t where t.workspace_id = p_workspace_id and t.id = c.topic_id
    )
  ), p_now);
  perform private.record_engagements(v_events);
  perform private.settle_sends(jsonb_build_array(jsonb_build_object(
    'workspace_id', p_workspace_id, 'send_id', p_send_id, 'outcome', 'sent', 'at', p_now
  )), p_now);
  if exists (select from jsonb_to_recordset(v_events) as e (name text) where e.name = 'unsubscribed') then
    update public.sends as s
    set unsubscribed_at = coalesce(s.unsubscribed_at, p_now)
    where s.workspace_id = p_workspace_id and s.queued_at = v_send.queued_at and s.id = p_send_id;
  end if;
  return true;
end
$$;
comment on function private.set_preferences(uuid, uuid, jsonb, timestamptz) is
  'Records what the recipient of a send chooses: a JSON array of { topic_id, subscribed }, with a null topic_id to unsubscribe from everything. An opt-out also counts for the address that the customer has by now. Null instead of the array unsubscribes from the topic of the send, or from everything if it has none. Stores an event for each change. After the erasure of the customer, the choice counts for the address alone. Returns false for a send that is gone. Retry on 40001.';
revoke execute on function private.set_preferences(uuid, uuid, jsonb, timestamptz) from public;
grant execute on function private.set_preferences(uuid, uuid, jsonb, timestamptz)
  to signalpost_links;
