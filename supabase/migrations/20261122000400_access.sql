-- Purpose: API keys, stored as hashes; the token buckets of quotas; responses to idempotent requests.
-- Risk:    the buckets are unlogged: a crash of the database refills every one.
-- Undo:    drop the tables.

create table private.api_keys (
  hash bytea primary key check (octet_length(hash) = 32),
  id uuid not null unique default private.uuid_v7(),
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  last_four text not null check (char_length(last_four) = 4),
  scopes text[] not null check (
    cardinality(scopes) > 0
    and scopes <@ array[
      'track:write', 'customers:read', 'customers:write', 'events:read', 'events:write',
      'destinations:read',
      'destinations:write', 'deliveries:read', 'deliveries:write', 'sources:read', 'sources:write',
      'topics:read', 'topics:write', 'suppressions:read', 'suppressions:write',
      'segments:read', 'segments:write', 'templates:read', 'templates:write',
      'senders:read', 'senders:write', 'sends:read', 'sends:write',
      'journeys:read', 'journeys:write',
      'campaigns:read', 'campaigns:write',
      'alerts:read', 'alerts:write',
      'views:read', 'views:write'
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
create index api_keys_workspace_id_idx on private.api_keys (workspace_id, id);
create index api_keys_created_by_idx on private.api_keys (created_by);
-- Keys that count against the plan's limit.
create index api_keys_live_idx on private.api_keys (workspace_id, expires_at) where revoked_at is null;
alter table private.api_keys enable row level security;
select private.limit_kind(
  'api_keys', 'private.api_keys', p_action => 'create API key', p_noun => 'API keys',
  p_condition => 'revoked_at is null and coalesce(expires_at, ''infinity'') > now()'
);

-- Callers write the hash and never read it: a user who can list keys cannot search for one.
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
  -- A revoked key stays revoked.
  with check (
    revoked_at is not null and workspace_id = (select private.acting_workspace_id('admin'))
  );

create unlogged table private.rate_limit_buckets (
  workspace_id uuid not null,
  bucket text not null check (bucket in ('ingest', 'api')),
  tokens double precision not null,
  refilled_at timestamptz not null,
  primary key (workspace_id, bucket)
) with (fillfactor = 50);
comment on table private.rate_limit_buckets is
  'Tokens left in each bucket at refilled_at, below zero after more than a bucket was taken at once. Unlogged: losing it in a crash admits one more burst.';
alter table private.rate_limit_buckets enable row level security;

create table private.idempotent_requests (
  -- The zero UUID for a call outside of workspaces.
  workspace_id uuid not null,
  -- The user of the session, or the key.
  caller_id uuid not null,
  key text not null check (char_length(key) between 1 and 255),
  -- SHA-256 of the route and its input.
  fingerprint text not null,
  -- The customer whose data the response may hold.
  customer_id uuid,
  -- Encrypted under SECRETS_ENCRYPTION_KEY: some responses hold a secret. Null: still running, or of
  -- a call that changes nothing. 64 KiB, as Base64 with the nonce and tag.
  response text constraint idempotent_requests_response_length_check check (octet_length(response) <= 90000),
  created_at timestamptz not null,
  primary key (workspace_id, caller_id, key)
);
comment on table private.idempotent_requests is
  'The response to the first call with an Idempotency-Key, at most 64 KiB; valid for 24 h, per workspace and caller.';
create index idempotent_requests_created_at_idx on private.idempotent_requests (created_at);
create index idempotent_requests_customer_id_idx
  on private.idempotent_requests (workspace_id, customer_id) where customer_id is not null;
alter table private.idempotent_requests enable row level security;

insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values
  ('delete expired idempotent requests', '10 seconds', 30, 'private.delete_expired_idempotent_requests($1, $2)', 10000, 10);
