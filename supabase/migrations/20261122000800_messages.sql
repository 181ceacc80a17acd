-- Purpose: messages to send: the body of each once, and which were missed or canceled; the
--          event types of the service.
-- Risk:    no foreign keys on the hot path. Kept for 30 days, ten times as long as attempts continue,
--          and while an enabled destination waits for one.
-- Undo:    drop the tables with their rows of private.partition_policies, and the types.

create type private.new_message as (
  workspace_id uuid,
  event_type text,
  payload jsonb,
  customer_id uuid,
  -- The only destination it goes to, also without a subscription: of a test or a journey. Else null.
  destination_id uuid
);
comment on type private.new_message is 'A message to publish: see private.publish_messages.';

create type private.subscription as (
  workspace_id uuid,
  event_type text,
  destination_id uuid,
  enabled boolean,
  -- Its filter decides which messages of the type it gets.
  is_filtered boolean
);
comment on type private.subscription is
  'A destination that wants an event type, and whether it was enabled when the message was created.';

create type private.filtered_message as (
  message_id uuid,
  destination_id uuid
);
comment on type private.filtered_message is 'A message that passed the filter of a destination.';

create table private.service_event_types (
  type text primary key,
  description text not null,
  -- Messages about a destination go to the other destinations of its workspace.
  is_about_destination boolean not null default false
);
comment on table private.service_event_types is
  'Event types that the service itself sends, with when it does.';
insert into private.service_event_types (type, description, is_about_destination)
values
  ('customer.created', 'A customer gets their first external id', false),
  ('customer.updated', 'At least one field of a customer changed', false),
  ('customer.merged', 'Two records were merged into one customer', false),
  ('customer.deleted', 'A customer was erased', false),
  ('destination.failing', 'Another destination is failing', true),
  ('destination.disabled', 'Another destination was disabled', true),
  ('destination.recovered', 'Another destination has recovered', true),
  ('ping', 'A test message for one destination, regardless of its subscriptions', false);
alter table private.service_event_types enable row level security;
grant select on private.service_event_types to signalpost_user, signalpost_key;
create policy "Users and keys can read event types" on private.service_event_types
  for select to signalpost_user, signalpost_key using ((select true));

create table public.webhook_messages (
  workspace_id uuid not null,
  id uuid not null,
  event_type text not null,
  customer_id uuid,
  body text,
  created_at timestamptz not null,
  primary key (workspace_id, created_at, id)
) partition by range (created_at);
comment on table public.webhook_messages is
  'The exact text of each body, signed and sent on every attempt; null after its customer was erased.';
create index webhook_messages_customer_id_idx
  on public.webhook_messages (workspace_id, customer_id, created_at, id)
  where customer_id is not null;

create table public.missed_messages (
  workspace_id uuid not null,
  destination_id uuid not null,
  message_id uuid not null,
  message_created_at timestamptz not null,
  primary key (workspace_id, destination_id, message_created_at, message_id)
) partition by range (message_created_at);
comment on table public.missed_messages is
  'Messages that matched a destination while it was disabled, until they are recovered.';

create table public.canceled_messages (
  workspace_id uuid not null,
  destination_id uuid not null,
  message_id uuid not null,
  message_created_at timestamptz not null,
  canceled_at timestamptz not null,
  primary key (workspace_id, destination_id, message_created_at, message_id)
) partition by range (message_created_at);
comment on table public.canceled_messages is
  'Messages that a person took out of the queue of a destination, or discarded after they were missed. A message that is queued again has no row.';

create type private.message_state as (
  message_id uuid,
  destination_id uuid,
  -- Null once the destination was deleted.
  destination_name text,
  event_type text,
  -- When the message was created; null without one, and after an erasure.
  customer_id uuid,
  created_at timestamptz,
  -- waiting, retrying, held, delivered, given_up or missed.
  state text,
  -- breaker or disabled; null for messages that are not held.
  held_by text,
  -- Logged attempts.
  attempts integer,
  -- Null while the destination is disabled, and when no attempt follows.
  next_attempt_at timestamptz,
  is_in_progress boolean,
  canceled_at timestamptz,
  -- The newest attempt.
  delivery_id uuid,
  attempted_at timestamptz,
  status_code smallint,
  error text
);
comment on type private.message_state is
  'A message at one destination, and what happens to it there: see private.message_states.';

create type private.message_position as (
  message_id uuid,
  destination_id uuid,
  created_at timestamptz
);
comment on type private.message_position is
  'A message at one destination, as a position in the list of messages.';

create type private.message_filter as (
  destination_id uuid,
  -- Or a record that was merged into it.
  customer_id uuid,
  event_type text,
  states text[],
  -- The lowest id to list, see private.first_message_id, and its time.
  from_id uuid,
  from_at timestamptz
);
comment on type private.message_filter is
  'Filters of a list of messages; null for any destination, customer, type or state.';

create table private.webhook_messages_default partition of public.webhook_messages default;
create table private.missed_messages_default partition of public.missed_messages default;
create table private.canceled_messages_default partition of public.canceled_messages default;
alter table public.webhook_messages enable row level security;
alter table public.missed_messages enable row level security;
alter table public.canceled_messages enable row level security;
alter table private.webhook_messages_default enable row level security;
alter table private.missed_messages_default enable row level security;
alter table private.canceled_messages_default enable row level security;

grant select on public.webhook_messages, public.missed_messages, public.canceled_messages
  to signalpost_user, signalpost_key;

create policy "Members can read messages" on public.webhook_messages
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read messages" on public.webhook_messages
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['deliveries:read', 'deliveries:write'])));

create policy "Members can read missed messages" on public.missed_messages
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read missed messages" on public.missed_messages
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['destinations:read', 'destinations:write'])));

create policy "Members can read canceled messages" on public.canceled_messages
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read canceled messages" on public.canceled_messages
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['deliveries:read', 'deliveries:write'])));

insert into private.partition_policies (table_name, step, ahead, keep)
values
  ('webhook_messages', 'day', 3, '30 days'), ('missed_messages', 'day', 3, '30 days'),
  ('canceled_messages', 'day', 3, '30 days');
select private.ensure_partitions();
