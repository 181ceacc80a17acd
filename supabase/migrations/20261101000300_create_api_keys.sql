-- Purpose: scoped API keys, stored as hashes.
-- Locks:   none on existing tables.
-- Risk:    none.
-- Undo:    drop private.api_keys and private.authenticate_keys.

create table private.api_keys (
  hash bytea primary key check (octet_length(hash) = 32),
  id uuid not null unique default private.uuid_v7(),
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  last_four text not null check (char_length(last_four) = 4),
  scopes text[] not null check (
    cardinality(scopes) > 0
    and scopes <@ array[
      'track:write', 'customers:read', 'customers:write', 'events:read', 'destinations:read',
      'destinations:write', 'deliveries:read', 'deliveries:write', 'sources:read', 'sources:write'
    ]
  ),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
comment on table private.api_keys is
  'SHA-256 of each key with its last four characters; the key itself is shown once and kept nowhere.';
create index api_keys_workspace_id_idx on private.api_keys (workspace_id, id desc);
create index api_keys_created_by_idx on private.api_keys (created_by);
-- Those that count against the plan's limit.
create index api_keys_live_idx on private.api_keys (workspace_id, expires_at) where revoked_at is null;
alter table private.api_keys enable row level security;
select private.limit_kind(
  'api_keys', 'private.api_keys', p_action => 'create API key', p_noun => 'API keys',
  p_condition => 'revoked_at is null and coalesce(expires_at, ''infinity'') > now()'
);

-- The hash is written and never read: whoever can list keys cannot look for one.
grant select (
    id, workspace_id, name, last_four, scopes, created_by, created_at, expires_at, revoked_at,
    last_used_at
  ) on private.api_keys to signalpost_user;
grant insert (hash, id, workspace_id, name, last_four, scopes, created_by, expires_at)
  on private.api_keys to signalpost_user;
grant update (revoked_at) on private.api_keys to signalpost_user;

create policy "Admins can read keys" on private.api_keys
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids(array['owner', 'admin'])));
create policy "Admins can create keys" on private.api_keys
  for insert to signalpost_user
  with check (
    workspace_id = (select private.acting_workspace_id('admin'))
    and created_by = (select auth.uid())
  );
create policy "Admins can revoke keys" on private.api_keys
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')))
  -- A key that was revoked stays so.
  with check (
    revoked_at is not null and workspace_id = (select private.acting_workspace_id('admin'))
  );

create function private.authenticate_keys(p_hashes bytea[])
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
-- Planned for any number of keys, it would rather read all workspaces.
set enable_seqscan = 'off'
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
as $$
begin
  -- Once a minute is exact enough for people, and a busy key must not write on every look-up.
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
  'The live keys with these SHA-256 and what their workspaces set; no row for one that is unknown, expired or revoked.';
grant execute on function private.authenticate_keys(bytea[]) to signalpost_ingest, signalpost_key;
