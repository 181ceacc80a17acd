-- Purpose: messages to an erased customer.

create or replace function private.erase_sends(
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
as $$
  -- Uses of caps stay: they hold a keyed hash. A row of the queue without its message is dropped
  -- when its turn comes.
  with doomed as materialized (
    (
      select s.queued_at, s.id
      from public.sends as s
      where s.workspace_id = p_erasure.workspace_id and s.customer_id = any (p_erasure.customer_ids)
      limit p_limit
    )
    union
    (
      -- Tests go to an address, for no customer.
      select s.queued_at, s.id
      from public.sends as s
      where s.workspace_id = p_erasure.workspace_id
        and s.address_hash in (
          select private.address_hash(p_erasure.workspace_id, 'email', t.value)
          from unnest(p_erasure.search_terms) as t (value)
        )
      limit p_limit
    )
    limit p_limit
  ),
  forgotten as (
    delete from private.send_keys as k
    using doomed as d
    where k.workspace_id = p_erasure.workspace_id and k.send_id = d.id
  ),
  gone as (
    delete from public.sends as s
    using doomed as d
    where s.workspace_id = p_erasure.workspace_id and s.queued_at = d.queued_at and s.id = d.id
    returning s.id, s.channel, s.email, s.topic_id
  ),
  kept as (
    insert into private.erased_sends (workspace_id, send_id, address_hash, topic_id)
    select
      p_erasure.workspace_id, g.id, private.address_hash(p_erasure.workspace_id, g.channel, g.email),
      g.topic_id
    from gone as g
    where g.email is not null
  )
  select private.batch_progress(count(*)::integer, p_limit) from gone
$$;
comment on function private.erase_sends(private.erasures, integer, timestamptz) is
  'Deletes up to p_limit messages to an erased customer, with what they were rendered from. Keeps what their links need, without the address.';

create or replace function private.delete_old_erased_sends(
  p_limit integer default 10000,
  p_now timestamptz default clock_timestamp()
)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with gone as (
    delete from private.erased_sends as e
    where e.ctid = any (array(
      select o.ctid from private.erased_sends as o
      where o.send_id < private.uuid_v7(p_now - interval '90 days')
      order by o.send_id
      limit p_limit
    ))
    returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.delete_old_erased_sends(integer, timestamptz) is
  'Deletes up to p_limit links of messages to erased customers that are older than 90 days, and returns the number deleted. Runs every hour.';
