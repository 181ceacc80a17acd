-- Purpose: used signatures of a source whose sender signs a token instead of the message.

create or replace function private.claim_inbound_token(
  p_workspace_id uuid,
  p_source_id uuid,
  p_token_hash text
)
returns boolean
language sql
volatile
-- Definer: the roles that ingest may execute this and read or write no table.
security definer
set search_path = ''
set jit = 'off'
as $$
  with claimed as (
    insert into private.inbound_tokens (workspace_id, source_id, token_hash)
    values (p_workspace_id, p_source_id, p_token_hash)
    on conflict do nothing
    returning 1
  )
  select exists (select from claimed)
$$;
comment on function private.claim_inbound_token(uuid, uuid, text) is
  'Claims a token for the message that this transaction stores. Returns false if another message has it. Waits for a transaction that is claiming it.';
revoke execute on function private.claim_inbound_token(uuid, uuid, text) from public;
grant execute on function private.claim_inbound_token(uuid, uuid, text) to signalpost_ingest;

create or replace function private.delete_expired_inbound_tokens(p_limit integer default 10000)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with expired as (
    select t.workspace_id, t.source_id, t.token_hash
    from private.inbound_tokens as t
    -- A signed time may be 24 hours old and five minutes ahead.
    where t.created_at < now() - interval '25 hours'
    order by t.created_at
    limit p_limit
    for update skip locked
  ),
  forgotten as (
    delete from private.inbound_tokens as t
    using expired as e
    where t.workspace_id = e.workspace_id and t.source_id = e.source_id
      and t.token_hash = e.token_hash
    returning 1
  )
  select count(*)::integer from forgotten
$$;
comment on function private.delete_expired_inbound_tokens(integer) is
  'Deletes up to p_limit tokens whose signatures are too old to be accepted and returns the number deleted. Runs every 10 seconds.';
