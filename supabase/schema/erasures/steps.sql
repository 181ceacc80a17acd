-- Purpose: the steps of an erasure, each one batch at a time: see private.erasure_steps.

create or replace function private.erase_events(
  p_erasure private.erasures,
  p_limit integer,
  p_now timestamptz
)
returns private.erasure_progress
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
-- A join planned for a full batch would read all events of a month for the few of one customer.
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
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
    returning e.received_at, e.id
  ),
  -- A key was stored in the millisecond of its event. Older ones have expired.
  times as materialized (
    select g.received_at, array_agg(g.id) as event_ids
    from gone as g
    where g.received_at > now() - interval '25 hours'
    group by g.received_at
  ),
  forgotten as (
    delete from private.idempotency_keys as k
    using times as t
    where k.created_at = t.received_at and k.event_id = any (t.event_ids)
      -- Not "=", which another index would serve, by reading all keys of the workspace.
      and k.workspace_id is not distinct from p_erasure.workspace_id
  )
  select private.batch_progress(count(*)::integer, p_limit) from gone
$$;
comment on function private.erase_events(private.erasures, integer, timestamptz) is
  'Deletes up to p_limit events of an erased customer, and their idempotency keys.';

create or replace function private.erase_bodies(
  p_erasure private.erasures,
  p_limit integer,
  p_now timestamptz
)
returns private.erasure_progress
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
  -- Claimed messages are already on their way; the rest is no longer sent.
  delete from private.webhook_queue as q
  using public.destinations as d
  where d.workspace_id = p_erasure.workspace_id
    and q.workspace_id = d.workspace_id and q.destination_id = d.id
    and q.message_id = any (v_message_ids)
    and q.claim is null;
  delete from private.fan_outs as f
  where f.workspace_id = p_erasure.workspace_id and f.message_id = any (v_message_ids);
  return private.batch_progress(coalesce(cardinality(v_message_ids), 0), p_limit);
end
$$;
comment on function private.erase_bodies(private.erasures, integer, timestamptz) is
  'Erases up to p_limit bodies of messages about an erased customer, and takes those that were not sent yet off the queue.';

create or replace function private.erase_snippets(
  p_erasure private.erasures,
  p_limit integer,
  p_now timestamptz
)
returns private.erasure_progress
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
  -- A receiver may have responded with what it was sent.
  forgotten as (
    update public.deliveries as d
    set response_snippet = null, response_headers = null
    from doomed as m
    where d.workspace_id = p_erasure.workspace_id and d.message_id = m.id
      -- Prunes partitions. A host's clock may be behind the database's.
      and d.attempted_at >= private.attempts_start(m.created_at)
      and (d.response_snippet is not null or d.response_headers is not null)
  ),
  unlinked as (
    update public.webhook_messages as m
    set body = null, customer_id = null
    from doomed as d
    where m.workspace_id = p_erasure.workspace_id and m.created_at = d.created_at and m.id = d.id
    returning 1
  )
  select private.batch_progress(count(*)::integer, p_limit) from unlinked
$$;
comment on function private.erase_snippets(private.erasures, integer, timestamptz) is
  'Erases the responses to up to p_limit messages about an erased customer, and the note that the messages were about the customer.';

create or replace function private.erase_receipts(
  p_erasure private.erasures,
  p_limit integer,
  p_now timestamptz
)
returns private.erasure_progress
language sql
volatile
security invoker
set search_path = ''
as $$
  with doomed as materialized (
    select r.received_at, r.id
    from public.inbound_receipts as r
    where r.workspace_id = p_erasure.workspace_id
      and r.customer_ids && p_erasure.customer_ids
      and r.body is not null
    limit p_limit
  ),
  erased as (
    update public.inbound_receipts as r
    set body = null
    from doomed as d
    where r.workspace_id = p_erasure.workspace_id and r.received_at = d.received_at and r.id = d.id
    returning 1
  )
  select private.batch_progress(count(*)::integer, p_limit) from erased
$$;
comment on function private.erase_receipts(private.erasures, integer, timestamptz) is
  'Removes up to p_limit bodies of inbound requests about an erased customer. Runs twice, because a receipt is recorded after its entries.';
