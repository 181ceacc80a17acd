-- Purpose: messages are stored in the transaction of what caused them, and queued in it or, when
--          there are too many, in steps after it.
-- Risk:    takes no lock on destinations, so publishers never wait. A destination that is disabled
--          meanwhile holds what was queued for it, and sends it when it is enabled again.

create or replace function private.listening_workspaces(p_workspace_ids uuid[])
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
  'The workspaces that have a destination: the others need no messages.';

create or replace function private.match_subscriptions(p_workspace_ids uuid[], p_event_types text[])
returns private.subscription[]
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
-- Planning a small batch again, for its sizes, takes longer than looking it up.
set plan_cache_mode = 'force_generic_plan'
as $$
begin
  return array(
    -- Each candidate is looked up by key: a join could be planned as a scan of all subscriptions.
    select distinct row(w.id, c.event_type, d.id, d.enabled, d.is_filtered)::private.subscription
    from (
      select t.workspace_id as id, array_agg(distinct t.event_type) as event_types
      from unnest(p_workspace_ids, p_event_types) as t (workspace_id, event_type)
      group by t.workspace_id
    ) as w
    cross join lateral (
      select t.event_type, t.event_type as pattern
      from unnest(w.event_types) as t (event_type)
      union all
      -- A prefix can only be as long as one of those that the workspace's destinations have.
      select t.event_type, left(t.event_type, l.length) || '*'
      from (
        select distinct s.prefix_length as length
        from private.destination_event_types as s
        where s.workspace_id = w.id and s.prefix_length is not null
      ) as l
      join unnest(w.event_types) as t (event_type) on char_length(t.event_type) >= l.length
    ) as c
    cross join lateral (
      select s.destination_id
      from private.destination_event_types as s
      where s.workspace_id = w.id and s.pattern = c.pattern
      offset 0
    ) as s
    cross join lateral (
      select o.id, o.enabled, o.filter is not null as is_filtered
      from public.destinations as o
      where o.workspace_id = w.id and o.id = s.destination_id
      limit 1
    ) as d
  );
end
$$;
comment on function private.match_subscriptions(uuid[], text[]) is
  'Destinations that want these event types, as an exact type, by a prefix, or by *; each type is of the workspace at the same position.';

create or replace function private.customer_subscriptions(p_workspace_ids uuid[])
returns private.subscription[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select private.match_subscriptions(array_agg(w.id), array_agg(t.event_type))
    from unnest(p_workspace_ids) as w (id)
    cross join (
      values ('customer.created'), ('customer.updated'), ('customer.merged')
    ) as t (event_type)
  );
end
$$;
comment on function private.customer_subscriptions(uuid[]) is
  'The destinations of the workspaces that subscribe to changes of customers.';

create or replace function private.event_subscriptions(
  p_workspace_ids uuid[],
  p_names text[],
  p_created private.created_identity[]
)
returns private.subscription[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_new uuid[];
begin
  -- Most workspaces have no destinations: this is faster than finding none of the types.
  if not exists (
    select from private.destination_event_types as s where s.workspace_id = any (p_workspace_ids)
  ) then
    return '{}';
  end if;
  v_new := array(
    select distinct c.workspace_id
    from unnest(p_created) as c
    where c.kind = 'external' and c.entry_kind = 'event'
  );
  return private.match_subscriptions(
    p_workspace_ids || v_new,
    p_names || array_fill('customer.created'::text, array[cardinality(v_new)])
  );
end
$$;
comment on function private.event_subscriptions(uuid[], text[], private.created_identity[]) is
  'The destinations that want these names of events, or the customers that events created.';

create or replace function private.route_messages(
  p_ids uuid[],
  p_messages private.new_message[],
  p_subscriptions private.subscription[],
  p_trigger text
)
returns table (
  id uuid, workspace_id uuid, destination_id uuid, enabled boolean, trigger text, is_deferred boolean
)
language plpgsql
stable
security invoker
set search_path = ''
set enable_nestloop = 'off'
as $$
declare
  v_passed private.filtered_message[] := '{}';
begin
  if exists (select from unnest(p_subscriptions) as s where s.is_filtered) then
    v_passed := private.filter_messages(p_ids, p_messages, p_subscriptions);
  end if;
  return query
  with targets as materialized (
    select n.id, m.workspace_id, s.destination_id, s.enabled, p_trigger as trigger
    from unnest(p_ids) with ordinality as n (id, position)
    join unnest(p_messages) with ordinality
      as m (workspace_id, event_type, payload, customer_id, destination_id, position)
      on m.position = n.position
    join unnest(p_subscriptions) as s
      on s.workspace_id = m.workspace_id and s.event_type = m.event_type
    where m.destination_id is null
      and (
        not s.is_filtered
        or (n.id, s.destination_id) in (select p.message_id, p.destination_id from unnest(v_passed) as p)
      )
      -- The state of a destination is sent to the others.
      and (
        m.event_type not in (
          select t.type from private.service_event_types as t where t.is_about_destination
        )
        or s.destination_id::text <> m.payload #>> '{destination,id}'
      )
    union all
    -- A test is sent once, also to a disabled destination.
    select
      n.id, m.workspace_id, m.destination_id,
      p_trigger = 'test' or coalesce((
        select d.enabled from public.destinations as d
        where d.workspace_id = m.workspace_id and d.id = m.destination_id
      ), false),
      p_trigger
    from unnest(p_ids) with ordinality as n (id, position)
    join unnest(p_messages) with ordinality
      as m (workspace_id, event_type, payload, customer_id, destination_id, position)
      on m.position = n.position
    where m.destination_id is not null
  ),
  -- Workspaces with the fewest rows come first. One whose messages already wait continues to wait,
  -- so that they stay in order.
  deferred as materialized (
    select l.workspace_id
    from (
      select t.workspace_id, sum(count(*)) over (order by count(*), t.workspace_id) as rows
      from targets as t
      where t.trigger = 'event'
      group by t.workspace_id
    ) as l
    where l.rows > private.fan_out_limit()
      or exists (select from private.fan_outs as f where f.workspace_id = l.workspace_id limit 1)
  )
  select t.*, t.trigger = 'event' and d.workspace_id is not null
  from targets as t
  left join deferred as d on d.workspace_id = t.workspace_id;
end
$$;
comment on function private.route_messages(uuid[], private.new_message[], private.subscription[], text) is
  'The destinations of each message, by its id at the same position: without those whose filter it does not pass, and with whether their rows of the queue wait because there are too many for one transaction.';

create or replace function private.store_messages(
  p_messages private.new_message[],
  p_subscriptions private.subscription[],
  p_now timestamptz default clock_timestamp(),
  p_trigger text default 'event'
)
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
set enable_nestloop = 'off'
as $$
declare
  -- The body shows milliseconds, and a driver can return no more.
  v_now timestamptz := date_trunc('milliseconds', p_now);
  v_sent_at text := private.rfc3339(v_now);
  v_new_ids uuid[] := private.uuids_v7(v_now, cardinality(p_messages));
  v_ids uuid[];
  v_has_deferred boolean;
begin
  -- Nobody ever sees the messages of a rehearsal.
  if private.as_of() is not null then
    return '{}';
  end if;
  with new_messages as materialized (
    select n.*
    from rows from (unnest(v_new_ids), unnest(p_messages))
      as n (id, workspace_id, event_type, payload, customer_id, destination_id)
  ),
  routed as materialized (
    select r.* from private.route_messages(v_new_ids, p_messages, p_subscriptions, p_trigger) as r
  ),
  stored as (
    insert into public.webhook_messages (workspace_id, id, event_type, customer_id, body, created_at)
    select
      n.workspace_id, n.id, n.event_type, n.customer_id,
      '{"event_type":' || to_json(n.event_type) || ',"workspace_id":"' || n.workspace_id
        || '","payload":' || n.payload || ',"sent_at":"' || v_sent_at || '"'
        || case when n.event_type like 'alert.%' then private.chat_text(n.payload) else '' end || '}',
      v_now
    from new_messages as n
    where n.id in (select r.id from routed as r)
    returning id, workspace_id, octet_length(body) as bytes
  ),
  counted as (
    insert into private.usage_deltas (workspace_id, at, bytes)
    select s.workspace_id, v_now, sum(s.bytes) from stored as s group by s.workspace_id
  ),
  missed as (
    insert into public.missed_messages (workspace_id, destination_id, message_id, message_created_at)
    select r.workspace_id, r.destination_id, r.id, v_now
    from routed as r
    where not r.enabled and not r.is_deferred
  ),
  queued as (
    insert into private.webhook_queue (
      workspace_id, destination_id, message_id, message_created_at, due_at, trigger, is_manual
    )
    select r.workspace_id, r.destination_id, r.id, v_now, v_now, r.trigger, r.trigger = 'test'
    from routed as r
    where r.enabled and not r.is_deferred
  ),
  noted as (
    insert into private.fan_outs (
      workspace_id, message_id, message_created_at, destination_ids, missed_ids
    )
    select
      r.workspace_id, r.id, v_now,
      coalesce(array_agg(r.destination_id) filter (where r.enabled), '{}'),
      coalesce(array_agg(r.destination_id) filter (where not r.enabled), '{}')
    from routed as r
    where r.is_deferred
    group by r.workspace_id, r.id
  )
  select coalesce(array_agg(s.id), '{}'), exists (select from routed as r where r.is_deferred)
  into v_ids, v_has_deferred
  from stored as s;
  if v_has_deferred then
    perform private.wake_dispatcher();
  end if;
  return v_ids;
end
$$;
comment on function private.store_messages(private.new_message[], private.subscription[], timestamptz, text) is
  'Stores the messages that a destination wants with their bodies, and queues them; those of a disabled destination are kept as missed. Their bytes count for the usage. Rows over private.fan_out_limit() are queued later by the dispatchers. With the trigger ''test'' a message is sent once, even to a disabled destination, and counts in no figures. Returns the ids of the stored messages.';

create or replace function private.service_message(
  p_workspace_id uuid,
  p_event_type text,
  p_payload jsonb,
  p_destination_id uuid default null
)
returns private.new_message
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_message private.new_message;
begin
  if not exists (select from private.service_event_types as t where t.type = p_event_type) then
    raise exception 'Cannot send "%": private.service_event_types does not have it', p_event_type;
  end if;
  v_message.workspace_id := p_workspace_id;
  v_message.event_type := p_event_type;
  v_message.payload := p_payload;
  v_message.destination_id := p_destination_id;
  return v_message;
end
$$;
comment on function private.service_message(uuid, text, jsonb, uuid) is
  'A message of the service that is not about a customer who still exists, for all destinations that subscribe to it or for one.';

create or replace function private.publish_messages(
  p_messages private.new_message[],
  p_now timestamptz default clock_timestamp()
)
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return private.store_messages(p_messages, (
    select private.match_subscriptions(array_agg(m.workspace_id), array_agg(m.event_type))
    from unnest(p_messages) as m
    where m.destination_id is null
  ), p_now);
end
$$;
comment on function private.publish_messages(private.new_message[], timestamptz) is
  'Stores and queues messages for the destinations that subscribe to them now, see private.store_messages. Returns the ids of the stored messages.';
