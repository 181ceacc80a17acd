-- Purpose: the responses to POST calls of the api that carry an Idempotency-Key.
-- Risk:    a call that repeats one under way waits until that one commits or rolls back.

create or replace function private.request_workspace_id()
returns uuid
language sql
stable
security invoker
set search_path = ''
as $$
  select coalesce(
    private.acting_workspace_id('viewer'), private.key_workspace_id(),
    '00000000-0000-0000-0000-000000000000'
  )
$$;
comment on function private.request_workspace_id() is
  'The workspace this transaction acts in; the zero UUID when it acts in none.';

create or replace function private.request_caller_id()
returns uuid
language sql
stable
security invoker
set search_path = ''
as $$
  select coalesce(nullif(current_setting('signalpost.api_key_id', true), '')::uuid, (select auth.uid()))
$$;
comment on function private.request_caller_id() is
  'The key or the user this transaction acts for.';

create or replace function private.claim_request(
  p_key text,
  p_fingerprint text,
  p_customer_id uuid,
  p_now timestamptz default clock_timestamp()
)
returns text
language plpgsql
volatile
-- Definer: callers may not read responses to others.
security definer
set search_path = ''
as $$
declare
  v_row private.idempotent_requests;
begin
  insert into private.idempotent_requests as r (
    workspace_id, caller_id, key, fingerprint, customer_id, created_at
  )
  values (
    private.request_workspace_id(), private.request_caller_id(), p_key, p_fingerprint,
    p_customer_id, p_now
  )
  -- Waits for a call with the same key that is under way.
  on conflict (workspace_id, caller_id, key) do update
  set fingerprint = excluded.fingerprint, customer_id = excluded.customer_id, response = null,
    created_at = excluded.created_at
  where r.created_at <= p_now - interval '24 hours';
  if found then
    return null;
  end if;

  select r.* into v_row
  from private.idempotent_requests as r
  where r.workspace_id = private.request_workspace_id()
    and r.caller_id = private.request_caller_id() and r.key = p_key;
  if v_row.fingerprint is distinct from p_fingerprint then
    raise sqlstate 'SP409' using message = format(
      'Idempotency-Key "%s" was used for a different request: send a new key', p_key
    );
  end if;
  return v_row.response;
end
$$;
comment on function private.claim_request(text, text, uuid, timestamptz) is
  'Claims an Idempotency-Key for the current call and returns null, or returns the encrypted response of the first call (null if none is kept). Raises SP409 if the first call was a different request.';
grant execute on function private.claim_request(text, text, uuid, timestamptz)
  to signalpost_user, signalpost_key;

create or replace function private.keep_response(p_key text, p_response text)
returns void
language sql
volatile
-- Definer: as for private.claim_request.
security definer
set search_path = ''
as $$
  update private.idempotent_requests as r
  set response = p_response
  where r.workspace_id = private.request_workspace_id()
    and r.caller_id = private.request_caller_id() and r.key = p_key and r.response is null
$$;
comment on function private.keep_response(text, text) is
  'Keeps the encrypted response of the call that claimed the key in this transaction.';
grant execute on function private.keep_response(text, text) to signalpost_user, signalpost_key;

create or replace function private.delete_expired_idempotent_requests(
  p_limit integer default 10000,
  p_now timestamptz default clock_timestamp()
)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with expired as (
    select r.workspace_id, r.caller_id, r.key
    from private.idempotent_requests as r
    where r.created_at <= p_now - interval '24 hours'
    order by r.created_at
    limit p_limit
    for update skip locked
  ),
  forgotten as (
    delete from private.idempotent_requests as r
    using expired as e
    where r.workspace_id = e.workspace_id and r.caller_id = e.caller_id and r.key = e.key
    returning 1
  )
  select count(*)::integer from forgotten
$$;
comment on function private.delete_expired_idempotent_requests(integer, timestamptz) is
  'Deletes up to p_limit responses older than 24 hours and returns the number deleted. Runs every 10 seconds.';
