-- Purpose: where a workspace's events are sent, and the secrets that requests are signed with.
-- Undo:    drop the tables.

create table public.destinations (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  name text not null check (char_length(name) between 1 and 200),
  url text not null check (char_length(url) between 1 and 2048),
  event_types text[] not null,
  -- A condition on the message: null for all of the types above.
  filter jsonb check (jsonb_typeof(filter) = 'object'),
  -- The values are in private.destination_headers.
  header_names text[] not null default '{}' check (cardinality(header_names) <= 20),
  enabled boolean not null default true,
  disabled_reason text check (char_length(disabled_reason) between 1 and 500),
  disabled_by text check (disabled_by in ('member', 'key', 'service', 'operator')),
  disabled_at timestamptz,
  rate_limit_per_second integer check (rate_limit_per_second between 1 and 10000),
  max_concurrency integer not null default 10 check (max_concurrency between 1 and 100),
  description text check (char_length(description) <= 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  -- Each entry is an exact type, a prefix such as customer.*, or * for all.
  constraint destinations_event_types_check check (
    cardinality(event_types) between 1 and 100
    and array_position(event_types, null) is null
    and array_to_string(event_types, e'\n') || e'\n' ~ '^((\*|[^*\n]{1,200}\*?)\n)+$'
  ),
  constraint destinations_disabled_check check (
    enabled = (disabled_at is null) and enabled = (disabled_reason is null)
    and enabled = (disabled_by is null)
  )
);
comment on table public.destinations is
  'An address to which a workspace sends the events it subscribes to. Deleting one also deletes its queue.';
create index destinations_id_idx on public.destinations (id);

-- Ingest finds the destinations of an event type by key here, however many a workspace has.
create table private.destination_event_types (
  workspace_id uuid not null,
  pattern text not null,
  destination_id uuid not null,
  -- Characters before the *; null for an exact type.
  prefix_length integer generated always as (
    case when pattern like '%*' then char_length(pattern) - 1 end
  ) stored,
  primary key (workspace_id, pattern, destination_id),
  constraint destination_event_types_destination_id_fkey foreign key (workspace_id, destination_id)
    references public.destinations (workspace_id, id) on delete cascade
);
comment on table private.destination_event_types is
  'The event types of each destination, one per row, written in the transaction that changes them: see private.follow_event_types.';
create index destination_event_types_destination_id_idx
  on private.destination_event_types (workspace_id, destination_id);
create index destination_event_types_prefix_length_idx
  on private.destination_event_types (workspace_id, prefix_length) where prefix_length is not null;

create table private.destination_secrets (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  destination_id uuid not null,
  ciphertext text not null check (ciphertext like 'v1.%.%'),
  key_id text not null generated always as (split_part(ciphertext, '.', 2)) stored,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  primary key (workspace_id, id),
  constraint destination_secrets_destination_id_fkey foreign key (workspace_id, destination_id)
    references public.destinations (workspace_id, id) on delete cascade
);
comment on table private.destination_secrets is
  'Signing secrets as ciphertext under the key with the id key_id; the one without expires_at is current. Only the functions encrypt and decrypt: the database never sees a secret.';
create index destination_secrets_destination_id_idx
  on private.destination_secrets (workspace_id, destination_id, created_at);
-- For changing the encryption key: see private.stale_secrets.
create index destination_secrets_key_id_idx on private.destination_secrets (key_id, id);
create index destination_secrets_expires_at_idx
  on private.destination_secrets (expires_at) where expires_at is not null;

create table private.destination_headers (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  destination_id uuid not null,
  -- Never one that the service sends itself, or that frames the request.
  name text not null check (
    name ~ '^[!#$%&''*+.^_`|~0-9A-Za-z-]{1,100}$'
    and lower(name) !~ (
      '^(host|content-(length|type|encoding)|transfer-encoding|connection|keep-alive|te|trailer'
      || '|upgrade|expect|user-agent|accept-encoding|proxy-.*|webhook-.*|x-service-.*)$'
    )
  ),
  ciphertext text not null check (ciphertext like 'v1.%.%'),
  key_id text not null generated always as (split_part(ciphertext, '.', 2)) stored,
  bytes integer not null generated always as (octet_length(name) + octet_length(ciphertext)) stored,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz check (expires_at is null),
  primary key (workspace_id, id),
  constraint destination_headers_destination_id_fkey foreign key (workspace_id, destination_id)
    references public.destinations (workspace_id, id) on delete cascade
);
comment on table private.destination_headers is
  'Headers that are sent with every request to a destination, their values as ciphertext under the key with the id key_id. They never expire.';
create unique index destination_headers_name_idx
  on private.destination_headers (workspace_id, destination_id, lower(name));
create index destination_headers_key_id_idx on private.destination_headers (key_id, id);

alter table public.destinations enable row level security;
alter table private.destination_headers enable row level security;
alter table private.destination_event_types enable row level security;
alter table private.destination_secrets enable row level security;

select private.limit_kind(
  'destinations', 'public.destinations', p_action => 'create destination', p_noun => 'destinations'
);
select private.limit_kind(
  'destination_secrets', 'private.destination_secrets', p_action => 'rotate secret',
  p_noun => 'live secrets per destination',
  -- Not now(), which is before a rotation that ends the older ones at once.
  p_condition => 'coalesce(expires_at, ''infinity'') > clock_timestamp()',
  p_owner_column => 'destination_id'
);

grant select on public.destinations to signalpost_user, signalpost_key;

create policy "Members can read destinations" on public.destinations
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read destinations" on public.destinations
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['destinations:read', 'destinations:write'])));

grant insert (
    workspace_id, id, name, url, event_types, filter, enabled, rate_limit_per_second,
    max_concurrency, description
  ) on public.destinations to signalpost_user, signalpost_key;
grant update (
    name, url, event_types, filter, header_names, enabled, rate_limit_per_second, max_concurrency,
    description, updated_at
  ) on public.destinations to signalpost_user, signalpost_key;
grant delete on public.destinations to signalpost_user, signalpost_key;
-- Callers write the ciphertext and never read it.
grant select (workspace_id, id, destination_id, created_at, expires_at)
  on private.destination_secrets to signalpost_user, signalpost_key;
grant insert (workspace_id, destination_id, ciphertext, created_at)
  on private.destination_secrets to signalpost_user, signalpost_key;
grant update (expires_at) on private.destination_secrets to signalpost_user, signalpost_key;
grant select (workspace_id, id, destination_id, name, bytes, created_at)
  on private.destination_headers to signalpost_user, signalpost_key;
grant insert (workspace_id, destination_id, name, ciphertext)
  on private.destination_headers to signalpost_user, signalpost_key;
grant delete on private.destination_headers to signalpost_user, signalpost_key;

create policy "Admins can create destinations" on public.destinations
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can change destinations" on public.destinations
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')))
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can delete destinations" on public.destinations
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can see which secrets there are" on private.destination_secrets
  for select to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can add secrets" on private.destination_secrets
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can let secrets expire" on private.destination_secrets
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')))
  with check (workspace_id = (select private.acting_workspace_id('admin')));

create policy "Keys can create destinations" on public.destinations
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['destinations:write'])));
create policy "Keys can change destinations" on public.destinations
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['destinations:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['destinations:write'])));
create policy "Keys can delete destinations" on public.destinations
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['destinations:write'])));
create policy "Keys can see which secrets there are" on private.destination_secrets
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['destinations:write'])));
create policy "Keys can add secrets" on private.destination_secrets
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['destinations:write'])));
create policy "Keys can let secrets expire" on private.destination_secrets
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['destinations:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['destinations:write'])));

create policy "Admins can see which headers there are" on private.destination_headers
  for select to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can add headers" on private.destination_headers
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can remove headers" on private.destination_headers
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));

create policy "Keys can see which headers there are" on private.destination_headers
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['destinations:write'])));
create policy "Keys can add headers" on private.destination_headers
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['destinations:write'])));
create policy "Keys can remove headers" on private.destination_headers
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['destinations:write'])));

insert into private.secret_owners (kind, table_name, owner_column)
values
  ('destination', 'private.destination_secrets', 'destination_id'),
  ('destination_header', 'private.destination_headers', 'destination_id');
insert into private.periodic_tasks (name, every, position, call)
values ('delete expired secrets', '1 hour', 40, 'private.delete_expired_secrets($2)');
