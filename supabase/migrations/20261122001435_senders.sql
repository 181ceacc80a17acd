-- Purpose: senders with their credentials and figures, and what a workspace decides about its messages.
-- Risk:    credentials are ciphertexts, which callers write and never read.
-- Undo:    drop the tables, and the rows of the registries.

create table public.send_settings (
  workspace_id uuid primary key references public.workspaces (id) on delete cascade,
  -- A list of { "max": 3, "per": "7d" }, counted by address.
  caps jsonb not null default '[]' check (jsonb_typeof(caps) = 'array'),
  -- { "from": "21:00", "to": "08:00" } in the zone of the customer; null: none.
  quiet_hours jsonb check (jsonb_typeof(quiet_hours) = 'object'),
  track_opens boolean not null default true,
  track_clicks boolean not null default true,
  -- Above this many recipients, a campaign is sent only by a request that repeats the number.
  campaign_confirm_above integer not null default 10000 check (campaign_confirm_above >= 0),
  -- Per cent of the sends of a campaign: above it, the campaign is paused.
  campaign_complaint_rate numeric not null default 0.5
    check (campaign_complaint_rate between 0 and 100),
  -- Set by ops.stop_sending: nothing of the workspace is sent.
  stopped_at timestamptz,
  stopped_reason text check (char_length(stopped_reason) <= 500),
  updated_at timestamptz not null default now()
);
comment on table public.send_settings is
  'Settings of a workspace about messages. No row: the defaults, see private.send_settings_of.';
alter table public.send_settings enable row level security;

create table public.senders (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  key text check (key ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'),
  channel text not null default 'email' check (channel in ('email')),
  name text not null check (char_length(name) between 1 and 200),
  provider text not null check (provider in (
    'smtp', 'resend', 'postmark', 'sendgrid', 'mailgun', 'ses', 'inbox'
  )),
  from_address text not null check (char_length(from_address) between 3 and 500),
  reply_to text check (char_length(reply_to) between 3 and 500),
  -- Everything but the secrets.
  config jsonb not null default '{}' check (jsonb_typeof(config) = 'object'),
  rate_per_second integer check (rate_per_second between 1 and 10000),
  max_concurrency integer not null default 10 check (max_concurrency between 1 and 100),
  -- For a send whose outcome nobody knows, with a provider that takes no idempotency key.
  on_unknown text not null default 'stop' check (on_unknown in ('stop', 'repeat')),
  enabled boolean not null default true,
  disabled_reason text check (char_length(disabled_reason) between 1 and 500),
  disabled_by text check (disabled_by in ('member', 'key', 'service', 'operator')),
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint senders_workspace_id_key_key unique (workspace_id, key),
  constraint senders_disabled_check check (
    enabled = (disabled_at is null) and enabled = (disabled_reason is null)
    and enabled = (disabled_by is null)
  )
);
comment on table public.senders is
  'Addresses that messages are sent from, each with the provider that takes them. What waits for a deleted one is skipped.';
alter table public.senders enable row level security;
select private.limit_kind('senders', 'public.senders', p_action => 'create sender', p_noun => 'senders');

create table private.sender_secrets (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  sender_id uuid not null,
  -- A JSON object of the secret fields of the configuration.
  ciphertext text not null check (ciphertext like 'v1.%.%'),
  key_id text not null generated always as (split_part(ciphertext, '.', 2)) stored,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz check (expires_at is null),
  primary key (workspace_id, id),
  constraint sender_secrets_sender_id_key unique (workspace_id, sender_id),
  constraint sender_secrets_sender_id_fkey foreign key (workspace_id, sender_id)
    references public.senders (workspace_id, id) on delete cascade
);
comment on table private.sender_secrets is
  'Credentials of senders, as ciphertext under the key with the id key_id. They never expire.';
create index sender_secrets_key_id_idx on private.sender_secrets (key_id, id);
alter table private.sender_secrets enable row level security;

-- Totals are kept, not counted: a busy sender has millions of rows in the log.
create table public.sender_stats (
  workspace_id uuid not null,
  sender_id uuid not null,
  hour timestamptz not null,
  sent integer not null default 0,
  failed integer not null default 0,
  skipped integer not null default 0,
  unknown integer not null default 0,
  -- Attempts that will be repeated.
  retried integer not null default 0,
  -- Messages sent in this hour that were reported as such, then or later.
  bounced integer not null default 0,
  -- Those of bounced whose address was refused, so that they were never sent.
  refused integer not null default 0,
  complained integer not null default 0,
  primary key (workspace_id, sender_id, hour)
) with (fillfactor = 50);
comment on table public.sender_stats is
  'Counts of the outcomes of a sender in the hour that starts at hour, written under the lock of its lane, or its own for what becomes known later. Kept for 400 days.';
alter table public.sender_stats enable row level security;
grant select on public.sender_stats to signalpost_user, signalpost_key;
create policy "Members can read figures of senders" on public.sender_stats
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read figures of senders" on public.sender_stats
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['senders:read', 'senders:write'])));

grant select on public.send_settings to signalpost_user, signalpost_key;
grant insert (
    workspace_id, caps, quiet_hours, track_opens, track_clicks, campaign_confirm_above,
    campaign_complaint_rate
  ) on public.send_settings to signalpost_user;
grant update (
    caps, quiet_hours, track_opens, track_clicks, campaign_confirm_above, campaign_complaint_rate,
    updated_at
  ) on public.send_settings to signalpost_user;
create policy "Members can read settings of sends" on public.send_settings
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read settings of sends" on public.send_settings
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(
    array['senders:read', 'senders:write', 'sends:read', 'sends:write']
  )));
create policy "Owners can create settings of sends" on public.send_settings
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('owner')));
create policy "Owners can change settings of sends" on public.send_settings
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('owner')))
  with check (workspace_id = (select private.acting_workspace_id('owner')));

grant select, delete on public.senders to signalpost_user, signalpost_key;
grant insert (
    workspace_id, id, key, channel, name, provider, from_address, reply_to, config, rate_per_second,
    max_concurrency, on_unknown, enabled
  ) on public.senders to signalpost_user, signalpost_key;
grant update (
    key, name, provider, from_address, reply_to, config, rate_per_second, max_concurrency,
    on_unknown, enabled, updated_at
  ) on public.senders to signalpost_user, signalpost_key;
create policy "Members can read senders" on public.senders
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read senders" on public.senders
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['senders:read', 'senders:write'])));
create policy "Admins can create senders" on public.senders
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can change senders" on public.senders
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')))
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can delete senders" on public.senders
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Keys can create senders" on public.senders
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['senders:write'])));
create policy "Keys can change senders" on public.senders
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['senders:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['senders:write'])));
create policy "Keys can delete senders" on public.senders
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['senders:write'])));

-- Callers write the ciphertext and never read it.
grant select (workspace_id, id, sender_id, created_at) on private.sender_secrets
  to signalpost_user, signalpost_key;
grant insert (workspace_id, sender_id, ciphertext) on private.sender_secrets
  to signalpost_user, signalpost_key;
grant update (ciphertext) on private.sender_secrets to signalpost_user, signalpost_key;
grant delete on private.sender_secrets to signalpost_user, signalpost_key;
create policy "Admins can see which senders have credentials" on private.sender_secrets
  for select to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can add credentials" on private.sender_secrets
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can change credentials" on private.sender_secrets
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')))
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can remove credentials" on private.sender_secrets
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Keys can see which senders have credentials" on private.sender_secrets
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['senders:write'])));
create policy "Keys can add credentials" on private.sender_secrets
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['senders:write'])));
create policy "Keys can change credentials" on private.sender_secrets
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['senders:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['senders:write'])));
create policy "Keys can remove credentials" on private.sender_secrets
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['senders:write'])));

insert into private.secret_owners (kind, table_name, owner_column)
values ('sender', 'private.sender_secrets', 'sender_id');

insert into private.service_event_types (type, description)
values
  ('sender.failing', 'A sender is failing'),
  ('sender.recovered', 'A sender has recovered');

insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values ('delete old figures of senders', '1 hour', 48, 'private.delete_old_sender_stats($1, $2)', 10000, 20);
