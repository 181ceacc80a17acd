-- Purpose: creates messages and puts them into the queue of their sender.
-- Locks:   new keys, in their order; nobody waits for a lane.

create or replace function private.read_new_sends(p_sends jsonb, p_now timestamptz)
returns private.new_send[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return array(
    -- The fields of the type, in its order.
    select row(
      r.ordinality::integer, private.uuid_v7(p_now, r.ordinality::integer), r.workspace_id, r.key,
      r.template_id, coalesce(r.sender_id, '00000000-0000-0000-0000-000000000000'), r.topic_id, r.customer_id, r.email, coalesce(r.purpose, 'message'),
      coalesce(r.data, '{}'), r.campaign_id, r.journey_id, r.run_id, r.visit, r.step, r.variant,
      coalesce(r.depth, 0), r.not_after, coalesce(r.on_cap, 'skip'),
      greatest(coalesce(r.due_at, p_now), p_now)
    )::private.new_send
    from rows from (
      jsonb_to_recordset(p_sends) as (
        workspace_id uuid, key text, template_id uuid, sender_id uuid, topic_id uuid,
        customer_id uuid, email text, purpose text, data jsonb, campaign_id uuid,
        journey_id uuid, run_id uuid, visit integer, step text, variant smallint, depth smallint,
        not_after timestamptz, on_cap text, due_at timestamptz
      )
    ) with ordinality as r
    order by r.ordinality
  );
end
$$;
comment on function private.read_new_sends(jsonb, timestamptz) is
  'The messages of a JSON array, in its order, with their ids and the defaults.';

create or replace function private.store_sends(p_sends private.new_send[], p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into public.sends (
    workspace_id, queued_at, id, customer_id, email, template_id, sender_id, topic_id, campaign_id,
    journey_id, run_id, visit, step, variant, depth, purpose, data, not_after, on_cap
  )
  select
    n.workspace_id, private.uuid_v7_time(n.id), n.id, n.customer_id,
    case n.purpose when 'message' then c.email else n.email end, n.template_id, n.sender_id, n.topic_id,
    n.campaign_id, n.journey_id, n.run_id, n.visit, n.step, n.variant, n.depth, n.purpose, n.data,
    n.not_after, n.on_cap
  from unnest(p_sends) as n
  left join lateral (
    select k.email from public.customers as k
    where k.workspace_id = n.workspace_id and k.id = n.customer_id
    limit 1
  ) as c on true
  order by n.id;
  insert into private.send_queue (workspace_id, sender_id, send_id, due_at, is_marketing)
  select
    n.workspace_id, n.sender_id, n.id, n.due_at, n.topic_id is not null and n.purpose = 'message'
  from unnest(p_sends) as n
  order by n.id;
  insert into private.send_arrivals (workspace_id, sender_ids, due_at)
  select n.workspace_id, array_agg(distinct n.sender_id), min(n.due_at)
  from unnest(p_sends) as n
  group by n.workspace_id;
end
$$;
comment on function private.store_sends(private.new_send[], timestamptz) is
  'Stores new messages and puts them into the queue.';

create or replace function private.create_sends(
  p_sends jsonb,
  p_now timestamptz default clock_timestamp()
)
returns table ("position" integer, send_id uuid, is_new boolean)
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_sends private.new_send[] := private.read_new_sends(p_sends, p_now);
  v_new private.new_send[];
begin
  insert into private.send_keys (workspace_id, key, send_id, created_at)
  select n.workspace_id, n.key, n.id, p_now
  from unnest(v_sends) as n
  where n.key is not null
  order by n.workspace_id, n.key, n.position
  on conflict do nothing;

  v_new := array(
    select n
    from unnest(v_sends) as n
    left join private.send_keys as k on k.workspace_id = n.workspace_id and k.key = n.key
    where n.key is null or k.send_id = n.id
  );
  if cardinality(v_new) > 0 then
    perform private.store_sends(v_new, p_now);
    perform private.wake_worker('send-dispatch');
  end if;
  return query
  select n.position, coalesce(k.send_id, n.id), coalesce(k.send_id, n.id) = n.id
  from unnest(v_sends) as n
  left join private.send_keys as k on k.workspace_id = n.workspace_id and k.key = n.key
  order by n.position;
end
$$;
comment on function private.create_sends(jsonb, timestamptz) is
  'Creates messages from a JSON array of private.new_send without position and id. Returns one row for each, in order: its id, and false for is_new if its key had one already. Checks nothing: a message that cannot be sent is skipped, with its reason, when its turn comes.';

create or replace function private.request_send(
  p_workspace_id uuid,
  p_send jsonb,
  p_now timestamptz default clock_timestamp()
)
returns table (send_id uuid, is_new boolean)
language plpgsql
volatile
-- Definer: callers may not write sends and their queue.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'sends:write');
  perform from public.customers as c
  where c.workspace_id = p_workspace_id and c.id = (p_send ->> 'customer_id')::uuid;
  if not found then
    raise sqlstate 'SP404' using message = 'Customer does not exist';
  end if;
  return query
  select s.send_id, s.is_new
  from private.create_sends(jsonb_build_array(
    (p_send - array['email', 'purpose', 'depth', 'to'])
      || jsonb_build_object('workspace_id', p_workspace_id)
      || case
        when p_send ->> 'to' is null then '{}'
        else jsonb_build_object('email', p_send ->> 'to', 'purpose', 'test')
      end
  ), p_now) as s;
end
$$;
comment on function private.request_send(uuid, jsonb, timestamptz) is
  'Creates one message for a caller of the workspace: see private.create_sends. With an address in to, it is a test that is rendered for the customer and goes to that address. Raises SP404 if the customer does not exist.';
grant execute on function private.request_send(uuid, jsonb, timestamptz)
  to signalpost_user, signalpost_key;

create or replace function private.delete_old_send_keys(
  p_limit integer default 10000,
  p_now timestamptz default clock_timestamp()
)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with old as (
    select k.workspace_id, k.key
    from private.send_keys as k
    where k.created_at < p_now - interval '90 days'
    order by k.created_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from private.send_keys as k
    using old as o
    where k.workspace_id = o.workspace_id and k.key = o.key
    returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.delete_old_send_keys(integer, timestamptz) is
  'Deletes up to p_limit idempotency keys older than 90 days and returns the number deleted. Runs every hour.';
