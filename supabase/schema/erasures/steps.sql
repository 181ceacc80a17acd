-- Purpose: the steps of an erasure, each a batch at a time.

create or replace function private.erase_events(p_erasure private.erasures, p_limit integer)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with doomed as materialized (
    select e.received_at, e.id
    from public.events as e
    where e.workspace_id = p_erasure.workspace_id and e.identity_id = any (p_erasure.identity_ids)
    limit p_limit
  ),
  gone as (
    delete from public.events as e
    using doomed as d
    where e.workspace_id = p_erasure.workspace_id and e.received_at = d.received_at and e.id = d.id
    returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.erase_events(private.erasures, integer) is
  'Deletes up to p_limit events of an erased customer; returns how many.';

create or replace function private.erase_bodies(p_erasure private.erasures, p_limit integer)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_message_ids uuid[];
begin
  with doomed as materialized (
    select m.created_at, m.id
    from public.webhook_messages as m
    where m.workspace_id = p_erasure.workspace_id and m.customer_id = any (p_erasure.customer_ids)
      and m.body is not null
    limit p_limit
  ),
  erased as (
    update public.webhook_messages as m
    set body = null
    from doomed as d
    where m.workspace_id = p_erasure.workspace_id and m.created_at = d.created_at and m.id = d.id
    returning m.id
  )
  select array_agg(e.id) into v_message_ids from erased as e;
  -- What a dispatcher holds right now is on its way; the rest is not sent any more.
  delete from private.webhook_queue as q
  using public.destinations as d
  where d.workspace_id = p_erasure.workspace_id
    and q.workspace_id = d.workspace_id and q.destination_id = d.id
    and q.message_id = any (v_message_ids)
    and q.claim is null;
  delete from private.fan_outs as f
  where f.workspace_id = p_erasure.workspace_id and f.message_id = any (v_message_ids);
  return coalesce(cardinality(v_message_ids), 0);
end
$$;
comment on function private.erase_bodies(private.erasures, integer) is
  'Erases up to p_limit bodies of messages about an erased customer, and what was not yet sent of them; returns how many.';

create or replace function private.erase_keys(p_workspace_id uuid, p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  -- One scan at a time for all who are here: those who come later share the next.
  v_place text := (
    select max(e.place)
    from private.erasures as e
    where e.workspace_id = p_workspace_id and e.step = 'keys'
  );
  v_seen integer;
  v_next text;
begin
  -- In pages by key: an index by customer would cost every call that sends a key.
  with page as materialized (
    select k.key, k.customer_id
    from private.idempotency_keys as k
    where k.workspace_id = p_workspace_id and k.key > v_place
    order by k.key
    limit p_limit
  ),
  gone as (
    delete from private.idempotency_keys as k
    using page as p
    where k.workspace_id = p_workspace_id and k.key = p.key
      and p.customer_id in (
        select unnest(e.customer_ids)
        from private.erasures as e
        where e.workspace_id = p_workspace_id and e.step = 'keys' and e.place = v_place
      )
  )
  select count(*), max(p.key) into v_seen, v_next from page as p;
  update private.erasures as e
  set
    step = case when v_seen < p_limit then 'farewell' else e.step end,
    place = case when v_seen < p_limit then '' else v_next end,
    due_at = p_now
  where e.workspace_id = p_workspace_id and e.step = 'keys' and e.place = v_place;
  return v_seen;
end
$$;
comment on function private.erase_keys(uuid, integer, timestamptz) is
  'Looks through the next p_limit idempotency keys for those of every erased customer of the workspace who has come to this step, and moves them on; returns how many keys.';

create or replace function private.erase_snippets(p_erasure private.erasures, p_limit integer)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with doomed as materialized (
    select m.created_at, m.id
    from public.webhook_messages as m
    where m.workspace_id = p_erasure.workspace_id and m.customer_id = any (p_erasure.customer_ids)
    limit p_limit
  ),
  -- A receiver may have answered with what it was sent.
  forgotten as (
    update public.deliveries as d
    set response_snippet = null
    from doomed as m
    where d.workspace_id = p_erasure.workspace_id and d.message_id = m.id
      -- For the planner, which prunes partitions by it: a host's clock may be behind the database's.
      and d.attempted_at >= private.attempts_start(m.created_at) and d.response_snippet is not null
  ),
  unlinked as (
    update public.webhook_messages as m
    set body = null, customer_id = null
    from doomed as d
    where m.workspace_id = p_erasure.workspace_id and m.created_at = d.created_at and m.id = d.id
    returning 1
  )
  select count(*)::integer from unlinked
$$;
comment on function private.erase_snippets(private.erasures, integer) is
  'Erases the answers to up to p_limit messages about an erased customer, and that they were about them; returns how many.';

create or replace function private.erase_receipts(
  p_workspace_id uuid,
  p_customer_ids uuid[],
  p_limit integer default 5000
)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with doomed as materialized (
    select r.received_at, r.id
    from public.inbound_receipts as r
    where r.workspace_id = p_workspace_id
      and r.customer_ids && p_customer_ids
      and r.body is not null
    limit p_limit
  ),
  erased as (
    update public.inbound_receipts as r
    set body = null
    from doomed as d
    where r.workspace_id = p_workspace_id and r.received_at = d.received_at and r.id = d.id
    returning 1
  )
  select count(*)::integer from erased
$$;
comment on function private.erase_receipts(uuid, uuid[], integer) is
  'Removes up to p_limit bodies of what was received about these customers; returns how many.';
