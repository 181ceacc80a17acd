-- Purpose: systems whose webhooks a workspace receives, their secrets, and receipts per request.
-- Risk:    no foreign keys on the hot path. Receipts are kept for 30 days; those of an erased
--          customer lose their body. A used token lives a little longer than its signature is valid.
-- Undo:    drop the tables, and the row of private.partition_policies.

create table public.inbound_sources (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  name text not null check (char_length(name) between 1 and 200),
  scheme text not null check (scheme in (
    'service', 'standard-webhooks', 'stripe', 'shopify', 'github', 'slack', 'sendgrid',
    'mailgun', 'sns', 'basic', 'hmac'
  )),
  hmac jsonb constraint inbound_sources_hmac_object_check check (jsonb_typeof(hmac) = 'object'),
  topic_arn text constraint inbound_sources_topic_arn_length_check
    check (char_length(topic_arn) <= 400),
  preset text check (preset in ('shopify', 'resend', 'sendgrid', 'postmark', 'mailgun', 'ses')),
  mapping jsonb check (jsonb_typeof(mapping) = 'object'),
  enabled boolean not null default true,
  description text check (char_length(description) <= 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint inbound_sources_hmac_check check ((scheme = 'hmac') = (hmac is not null)),
  constraint inbound_sources_topic_arn_check check ((scheme = 'sns') = (topic_arn is not null))
);
comment on table public.inbound_sources is
  'Sources: how another system signs its webhooks (scheme, with its settings in hmac or topic_arn) and how they become entries (preset, mapping).';
create index inbound_sources_id_idx on public.inbound_sources (id);

create table private.inbound_secrets (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  source_id uuid not null,
  ciphertext text not null check (ciphertext like 'v1.%.%'),
  key_id text not null generated always as (split_part(ciphertext, '.', 2)) stored,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  primary key (workspace_id, id),
  constraint inbound_secrets_source_id_fkey foreign key (workspace_id, source_id)
    references public.inbound_sources (workspace_id, id) on delete cascade
);
comment on table private.inbound_secrets is
  'Secrets that verify signatures, as ciphertext under the key with the id key_id; the one without expires_at is current.';
create index inbound_secrets_source_id_idx
  on private.inbound_secrets (workspace_id, source_id, created_at);
create index inbound_secrets_key_id_idx on private.inbound_secrets (key_id, id);
create index inbound_secrets_expires_at_idx
  on private.inbound_secrets (expires_at) where expires_at is not null;

alter table public.inbound_sources enable row level security;
alter table private.inbound_secrets enable row level security;

select private.limit_kind(
  'sources', 'public.inbound_sources', p_action => 'create source', p_noun => 'sources'
);
select private.limit_kind(
  'source_secrets', 'private.inbound_secrets', p_action => 'rotate secret',
  p_noun => 'live secrets per source',
  -- Not now(), which is before a rotation that ends the older ones at once.
  p_condition => 'coalesce(expires_at, ''infinity'') > clock_timestamp()',
  p_owner_column => 'source_id'
);

grant select on public.inbound_sources to signalpost_user, signalpost_key;

create policy "Members can read sources" on public.inbound_sources
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read sources" on public.inbound_sources
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['sources:read', 'sources:write'])));

grant insert (
    workspace_id, id, name, scheme, hmac, topic_arn, preset, mapping, enabled, description
  )
  on public.inbound_sources to signalpost_user, signalpost_key;
grant update (name, hmac, topic_arn, preset, mapping, enabled, description)
  on public.inbound_sources to signalpost_user, signalpost_key;
grant delete on public.inbound_sources to signalpost_user, signalpost_key;
-- Callers write the ciphertext and never read it.
grant select (workspace_id, id, source_id, created_at, expires_at)
  on private.inbound_secrets to signalpost_user, signalpost_key;
grant insert (workspace_id, source_id, ciphertext, created_at)
  on private.inbound_secrets to signalpost_user, signalpost_key;
grant update (expires_at) on private.inbound_secrets to signalpost_user, signalpost_key;

create policy "Admins can create sources" on public.inbound_sources
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can change sources" on public.inbound_sources
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')))
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can delete sources" on public.inbound_sources
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can see which inbound secrets there are" on private.inbound_secrets
  for select to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can add inbound secrets" on private.inbound_secrets
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can let inbound secrets expire" on private.inbound_secrets
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')))
  with check (workspace_id = (select private.acting_workspace_id('admin')));

create policy "Keys can create sources" on public.inbound_sources
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['sources:write'])));
create policy "Keys can change sources" on public.inbound_sources
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['sources:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['sources:write'])));
create policy "Keys can delete sources" on public.inbound_sources
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['sources:write'])));
create policy "Keys can see which inbound secrets there are" on private.inbound_secrets
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['sources:write'])));
create policy "Keys can add inbound secrets" on private.inbound_secrets
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['sources:write'])));
create policy "Keys can let inbound secrets expire" on private.inbound_secrets
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['sources:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['sources:write'])));

create table public.inbound_receipts (
  workspace_id uuid not null,
  source_id uuid not null,
  id uuid not null,
  received_at timestamptz not null,
  is_verified boolean not null,
  outcome text not null check (
    outcome in ('accepted', 'duplicate', 'ignored', 'rejected', 'handshake', 'refused')
  ),
  status_code smallint not null check (status_code between 200 and 599),
  error text,
  message_id text,
  headers jsonb not null default '{}',
  body text,
  body_bytes integer not null,
  accepted integer not null default 0,
  duplicates integer not null default 0,
  ignored integer not null default 0,
  rejected integer not null default 0,
  results jsonb not null default '[]',
  customer_ids uuid[] not null default '{}',
  request_id uuid not null,
  primary key (workspace_id, received_at, id)
) partition by range (received_at);
comment on table public.inbound_receipts is
  'One request to a source: whether it was verified, the response, and the entries it became. The body is kept if it was verified and is at most 256 KiB.';
-- Includes the outcome, so that a day is counted in the index without reading the requests.
create index inbound_receipts_source_id_idx
  on public.inbound_receipts (workspace_id, source_id, received_at, id) include (outcome);
create index inbound_receipts_outcome_idx
  on public.inbound_receipts (workspace_id, source_id, outcome, received_at, id);
create index inbound_receipts_customer_ids_idx
  on public.inbound_receipts using gin (customer_ids) where body is not null;

create table private.inbound_receipts_default partition of public.inbound_receipts default;
alter table public.inbound_receipts enable row level security;
alter table private.inbound_receipts_default enable row level security;

grant select on public.inbound_receipts to signalpost_user, signalpost_key;

create policy "Members can read receipts" on public.inbound_receipts
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read receipts" on public.inbound_receipts
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['sources:read', 'sources:write'])));

insert into private.partition_policies (table_name, step, ahead, keep)
values ('inbound_receipts', 'day', 3, '30 days');
select private.ensure_partitions();

create table private.inbound_tokens (
  workspace_id uuid not null,
  source_id uuid not null,
  token_hash text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, source_id, token_hash)
);
comment on table private.inbound_tokens is
  'Tokens with which a source received a message, accepted or not; each is valid once.';
create index inbound_tokens_created_at_idx on private.inbound_tokens (created_at);
alter table private.inbound_tokens enable row level security;

insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values
  ('delete expired inbound tokens', '10 seconds', 40, 'private.delete_expired_inbound_tokens($1)', 10000, 10);

insert into private.secret_owners (kind, table_name, owner_column)
values ('source', 'private.inbound_secrets', 'source_id');
