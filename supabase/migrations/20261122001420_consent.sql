-- Purpose: topics, who is subscribed to them, and the addresses that nothing is sent to.
-- Locks:   public.customers and public.workspaces, for a moment, while their triggers are created.
-- Risk:    rows of an address hold a keyed hash of it, so they survive an erasure without naming
--          anybody. The keys are rows of the workspace and end with it.
-- Undo:    drop the triggers on public.customers and public.workspaces, and the tables.

create table private.workspace_keys (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  purpose text not null check (purpose in ('address', 'link')),
  id smallint not null default 1,
  key bytea not null check (octet_length(key) = 32),
  -- The key as HMAC-SHA-256 uses it, so that a hash costs two calls of sha256().
  inner_pad bytea not null check (octet_length(inner_pad) = 64),
  outer_pad bytea not null check (octet_length(outer_pad) = 64),
  created_at timestamptz not null default clock_timestamp(),
  -- Null for the key in use. A replaced one is valid until then.
  expires_at timestamptz,
  primary key (workspace_id, purpose, id),
  -- Hashes are kept without end, so their key is never replaced.
  constraint workspace_keys_address_check
    check (purpose = 'link' or (id = 1 and expires_at is null))
);
comment on table private.workspace_keys is
  'Keys of a workspace: for the hashes of its addresses, and for the links in its messages.';
create unique index workspace_keys_current_idx on private.workspace_keys (workspace_id, purpose)
  where expires_at is null;
create index workspace_keys_expires_at_idx on private.workspace_keys (expires_at)
  where expires_at is not null;
alter table private.workspace_keys enable row level security;

create table public.topics (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  key text not null check (key ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'),
  name text not null check (char_length(name) between 1 and 200),
  description text check (char_length(description) <= 1000),
  default_state text not null check (default_state in ('subscribed', 'unsubscribed')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint topics_workspace_id_key_key unique (workspace_id, key)
);
comment on table public.topics is
  'Subjects that a customer subscribes to. default_state is the state of an address without a choice.';
alter table public.topics enable row level security;
select private.limit_kind('topics', 'public.topics', p_action => 'create topic', p_noun => 'topics');

create table private.consents (
  workspace_id uuid not null,
  channel text not null check (channel in ('email')),
  address_hash bytea not null check (octet_length(address_hash) = 32),
  -- The zero UUID stands for all topics: it withdraws everything that was said before it.
  topic_id uuid not null,
  subscribed boolean not null,
  source text not null check (source in (
    'api', 'import', 'link', 'event', 'complaint', 'address_change'
  )),
  changed_at timestamptz not null,
  primary key (workspace_id, channel, address_hash, topic_id)
);
comment on table private.consents is
  'The last word of an address about a topic, or about all of them. No row: the default of the topic.';
create index consents_topic_id_idx on private.consents (workspace_id, topic_id);
alter table private.consents enable row level security;

create table private.topic_counts (
  workspace_id uuid not null,
  id bigint generated always as identity,
  topic_id uuid not null,
  subscribed bigint not null,
  unsubscribed bigint not null,
  primary key (workspace_id, topic_id, id)
);
comment on table private.topic_counts is
  'Changes of how many addresses joined and left a topic. Appended, so that nobody waits for a counter; the frequent tasks add them up.';
alter table private.topic_counts enable row level security;

create table public.suppressions (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  channel text not null check (channel in ('email')),
  address_hash bytea not null check (octet_length(address_hash) = 32),
  -- Null after the erasure of a customer with this address.
  address text check (char_length(address) <= 254),
  reason text not null check (reason in (
    'manual', 'import', 'hard_bounce', 'soft_bounces', 'complaint'
  )),
  source text not null check (source in ('api', 'import', 'event', 'feedback')),
  -- Null: without end.
  until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id),
  constraint suppressions_address_key unique (workspace_id, channel, address_hash)
);
comment on table public.suppressions is
  'Addresses that nothing is sent to, until a time or without end.';
create index suppressions_reason_idx on public.suppressions (workspace_id, reason, id);
create index suppressions_until_idx on public.suppressions (until) where until is not null;
alter table public.suppressions enable row level security;

grant select, insert, update, delete on public.topics to signalpost_user, signalpost_key;
grant select, delete on public.suppressions to signalpost_user, signalpost_key;
grant select on private.topic_counts to signalpost_user, signalpost_key;

create policy "Members can read topics" on public.topics
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read topics" on public.topics
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(
    array['topics:read', 'topics:write', 'customers:read', 'customers:write', 'sends:write']
  )));
create policy "Admins can create topics" on public.topics
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can change topics" on public.topics
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')))
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can delete topics" on public.topics
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Keys can create topics" on public.topics
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['topics:write'])));
create policy "Keys can change topics" on public.topics
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['topics:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['topics:write'])));
create policy "Keys can delete topics" on public.topics
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['topics:write'])));

create policy "Members can read counts of topics" on private.topic_counts
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read counts of topics" on private.topic_counts
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['topics:read', 'topics:write'])));

create policy "Members can read suppressions" on public.suppressions
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read suppressions" on public.suppressions
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(
    array['suppressions:read', 'suppressions:write']
  )));
create policy "Admins can lift suppressions" on public.suppressions
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Keys can lift suppressions" on public.suppressions
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['suppressions:write'])));

-- Before the step that ends the search terms.
insert into private.erasure_steps (subject, position, step, function_name)
values ('customer', 55, 'suppressions', 'private.erase_suppressed_addresses');
insert into private.periodic_tasks (name, every, position, call)
values ('add up topic counts', '10 seconds', 45, 'private.fold_topic_counts()');
insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values
  ('delete expired suppressions', '1 hour', 45, 'private.delete_expired_suppressions($1, $2)', 10000, 20),
  ('delete expired link keys', '1 hour', 49, 'private.delete_expired_link_keys($1, $2)', 10000, 20);
