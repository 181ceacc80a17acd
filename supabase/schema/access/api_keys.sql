-- Purpose: authentication by API key.

create or replace function private.authenticate_keys(p_hashes bytea[])
returns table (
  key_hash bytea,
  api_key_id uuid,
  workspace_id uuid,
  scopes text[],
  expires_at timestamptz,
  fill_browser_ip boolean
)
language plpgsql
volatile
-- Definer: callers may ask about keys they hold but never read the table.
security definer
set search_path = ''
set jit = 'off'
-- A generic plan for any number of keys would read all workspaces.
set enable_seqscan = 'off'
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
as $$
begin
  -- Once a minute is exact enough for people, and a busy key must not write on every lookup.
  update private.api_keys as k
  set last_used_at = now()
  where k.hash in (
    select u.hash
    from private.api_keys as u
    where u.hash = any (p_hashes)
      and u.revoked_at is null
      and (u.last_used_at is null or u.last_used_at < now() - interval '1 minute')
    for update skip locked
  );
  return query
  select k.hash, k.id, k.workspace_id, k.scopes, k.expires_at, w.fill_browser_ip
  from private.api_keys as k
  join public.workspaces as w on w.id = k.workspace_id
  where k.hash = any (p_hashes)
    and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > now());
end
$$;
comment on function private.authenticate_keys(bytea[]) is
  'Active keys with these SHA-256 hashes and the settings of their workspaces; no row for a key that is unknown, expired or revoked.';
grant execute on function private.authenticate_keys(bytea[]) to signalpost_ingest, signalpost_key;
