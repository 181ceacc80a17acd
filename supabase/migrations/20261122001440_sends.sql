-- Purpose: messages to customers (sends), the queue in front of each sender, and caps.
-- Risk:    no foreign keys on the hot path. Lanes are locked by claims and results for milliseconds,
--          never by those who create sends. Sends are kept for 90 days.
-- Undo:    drop the tables and types, and the rows of the registries.

create table public.sends (
  workspace_id uuid not null,
  -- The time of the id: see private.uuid_v7_time.
  queued_at timestamptz not null,
  id uuid not null,
  channel text not null default 'email' check (channel in ('email')),
  state text not null default 'queued' check (
    state in ('queued', 'sending', 'sent', 'failed', 'skipped', 'unknown')
  ),
  reason text,
  customer_id uuid,
  -- The address it goes to; before that, the address of the customer when it was created.
  email text,
  address_hash bytea,
  template_id uuid,
  -- The version that was rendered.
  template_version integer,
  sender_id uuid not null,
  -- With a topic it is marketing: consent, caps and quiet hours apply.
  topic_id uuid,
  campaign_id uuid,
  journey_id uuid,
  run_id uuid,
  visit integer,
  -- Name of the step of the journey.
  step text,
  variant smallint,
  -- How many causes of the service itself led to it: loops end.
  depth smallint not null default 0,
  -- Other than 'message', it goes to an address that somebody chose, not to a customer: no consent,
  -- no caps, no engagement.
  purpose text not null default 'message' check (
    purpose in ('message', 'test', 'alert', 'invitation')
  ),
  data jsonb not null default '{}',
  -- What it was rendered from besides data: customer, workspace and now.
  facts jsonb,
  -- Links of the message: a click names a position, counted from 0.
  links text[] not null default '{}',
  message_id text,
  provider_id text,
  attempts jsonb not null default '[]',
  feedback text check (feedback in ('delivered', 'soft_bounced', 'bounced', 'complained')),
  feedback_reason text,
  feedback_at timestamptz,
  opened_at timestamptz,
  clicked_at timestamptz,
  unsubscribed_at timestamptz,
  not_after timestamptz,
  on_cap text not null default 'skip' check (on_cap in ('skip', 'wait')),
  sent_at timestamptz,
  finished_at timestamptz,
  primary key (workspace_id, queued_at, id)
) partition by range (queued_at);
comment on table public.sends is
  'Messages to customers, each with its state and its attempts. The id is a version 7 UUID of queued_at.';
-- The workspace comes second. If it came first, a plan that was made for an empty partition could
-- look a message up by its key in one of these, and read all messages of the workspace.
create index sends_customer_id_idx
  on public.sends (customer_id, workspace_id, queued_at, id);
create index sends_state_idx on public.sends (state, workspace_id, queued_at, id);
create index sends_template_id_idx
  on public.sends (template_id, workspace_id, queued_at, id);
create index sends_sender_id_idx
  on public.sends (sender_id, workspace_id, queued_at, id);
create index sends_campaign_id_idx
  on public.sends (workspace_id, campaign_id, queued_at, id) where campaign_id is not null;
create index sends_journey_id_idx
  on public.sends (workspace_id, journey_id, queued_at, id) where journey_id is not null;
create index sends_feedback_idx
  on public.sends (workspace_id, feedback, queued_at, id) where feedback is not null;
create index sends_opened_idx
  on public.sends (workspace_id, queued_at, id) where opened_at is not null;
create index sends_clicked_idx
  on public.sends (workspace_id, queued_at, id) where clicked_at is not null;
create index sends_unsubscribed_idx
  on public.sends (workspace_id, queued_at, id) where unsubscribed_at is not null;
create index sends_run_id_idx on public.sends (workspace_id, run_id) where run_id is not null;
create index sends_address_hash_idx
  on public.sends (workspace_id, address_hash, queued_at) where address_hash is not null;
create index sends_provider_id_idx
  on public.sends (workspace_id, provider_id) where provider_id is not null;
create table private.sends_default partition of public.sends default;
alter table public.sends enable row level security;
alter table private.sends_default enable row level security;

insert into private.partition_policies (table_name, step, ahead, keep)
values ('sends', 'month', 3, '90 days');
select private.ensure_partitions();

create table private.send_keys (
  workspace_id uuid not null,
  -- api:<idempotency key>, run:<run>:<visit>, campaign:<campaign>:<customer>, alert:… or
  -- invitation:<version 7 UUID>.
  key text not null check (char_length(key) between 1 and 500),
  send_id uuid not null,
  created_at timestamptz not null,
  primary key (workspace_id, key)
) with (autovacuum_vacuum_scale_factor = 0.05);
comment on table private.send_keys is
  'Keys under which a send was created: the same key again creates none. Kept as long as the sends.';
create index send_keys_created_at_idx on private.send_keys (created_at);
create index send_keys_send_id_idx on private.send_keys (workspace_id, send_id);
alter table private.send_keys enable row level security;

create table private.send_lanes (
  workspace_id uuid not null,
  sender_id uuid not null,
  -- False for a disabled sender and a stopped workspace.
  is_enabled boolean not null,
  -- Its rows are handed out, to be skipped.
  is_deleted boolean not null default false,
  max_concurrency integer not null,
  rate_per_second integer,
  -- No waiting row is due before this; null if there are none.
  due_at timestamptz,
  -- Claimed rows, and the one dispatcher that holds them all.
  in_flight integer not null default 0,
  owner uuid,
  -- Rate limit, and a pause that the provider asked for.
  tokens double precision not null default 1,
  refilled_at timestamptz not null default '-infinity',
  limited_until timestamptz,
  paused_until timestamptz,
  -- Circuit breaker: with probes it is open until open_until, then lets that many through.
  probes integer,
  trips integer not null default 0,
  open_until timestamptz,
  -- Health. Failures are those of the sender since the last success.
  failures integer not null default 0,
  failing_since timestamptz,
  is_failing boolean not null default false,
  enabled_at timestamptz not null default clock_timestamp(),
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error text,
  -- Messages handed over in the 10 s from rate_from, and per second in the 10 s before.
  rate_from timestamptz not null default '-infinity',
  rate_count integer not null default 0,
  rate_reached real not null default 0,
  -- See private.lanes.
  ahead integer not null default 0,
  -- The sender was corrected: messages that wait to be repeated, from those after this id on, are due
  -- at once. Null: no work is left.
  retry_cursor uuid,
  capacity integer not null generated always as (
    coalesce(probes, least(max_concurrency * (1 + ahead), 500))
  ) stored,
  ready_at timestamptz generated always as (
    case
      when is_enabled and due_at is not null
        and in_flight < coalesce(probes, least(max_concurrency * (1 + ahead), 500))
      then greatest(due_at, open_until, limited_until, paused_until, refilled_at)
    end
  ) stored,
  is_waiting boolean not null generated always as (
    is_enabled and due_at is not null
    and in_flight < coalesce(probes, least(max_concurrency * (1 + ahead), 500))
  ) stored,
  primary key (workspace_id, sender_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
comment on table private.send_lanes is
  'One row per sender; kept after the sender was deleted until its queue is empty.';
create index send_lanes_waiting_idx on private.send_lanes (workspace_id, sender_id) where is_waiting;
create index send_lanes_retry_idx on private.send_lanes (workspace_id, sender_id)
  where retry_cursor is not null;
alter table private.send_lanes enable row level security;

create table private.send_queue (
  workspace_id uuid not null,
  sender_id uuid not null,
  send_id uuid not null,
  due_at timestamptz not null,
  claim uuid,
  lease_until timestamptz,
  -- Set right before the message is handed to the provider: from then on it may be on its way.
  started_at timestamptz,
  attempts integer not null default 0,
  -- Others go first.
  is_marketing boolean not null,
  primary key (workspace_id, sender_id, send_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
comment on table private.send_queue is
  'One row per send from its creation to its outcome. Lanes decide which rows can be claimed.';
create index send_queue_waiting_idx
  on private.send_queue (workspace_id, sender_id, is_marketing, due_at, send_id)
  where claim is null;
create index send_queue_claimed_idx
  on private.send_queue (workspace_id, sender_id) where lease_until is not null;
alter table private.send_queue enable row level security;

create table private.send_arrivals (
  workspace_id uuid not null,
  id bigint generated always as identity,
  sender_ids uuid[] not null,
  -- None of the new rows is due earlier.
  due_at timestamptz not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
comment on table private.send_arrivals is
  'Lanes that got new rows. Appended, so that nobody who creates sends waits for a lane; the next claim adds them to the lanes.';
alter table private.send_arrivals enable row level security;

create table private.cap_uses (
  workspace_id uuid not null,
  channel text not null check (channel in ('email')),
  address_hash bytea not null check (octet_length(address_hash) = 32),
  -- The sends that count, and when each was reserved, in the same order.
  send_ids uuid[] not null,
  used_ats timestamptz[] not null,
  last_used_at timestamptz not null,
  primary key (workspace_id, channel, address_hash)
) with (fillfactor = 70);
comment on table private.cap_uses is
  'Marketing sends to an address that count against the caps of the workspace, written while it has caps. The row is locked while a place is reserved.';
create index cap_uses_last_used_at_idx on private.cap_uses (last_used_at);
alter table private.cap_uses enable row level security;

create table private.erased_sends (
  workspace_id uuid not null,
  send_id uuid not null,
  address_hash bytea not null check (octet_length(address_hash) = 32),
  topic_id uuid,
  primary key (workspace_id, send_id)
);
comment on table private.erased_sends is
  'Messages to erased customers, with what their links need: the owner of the address can still opt out. Kept for as long as the messages would have been.';
-- The ids begin with the time.
create index erased_sends_send_id_idx on private.erased_sends (send_id);
create index erased_sends_address_idx on private.erased_sends (workspace_id, address_hash);
alter table private.erased_sends enable row level security;

insert into private.work_wakes (worker, slot) select 'send-dispatch', generate_series(0, 3);

create type private.new_send as (
  position integer,
  id uuid,
  workspace_id uuid,
  -- The same key again creates no second send; null: every call creates one.
  key text,
  template_id uuid,
  sender_id uuid,
  topic_id uuid,
  customer_id uuid,
  -- Unless it is a message: goes there instead of to the customer, who may be null.
  email text,
  purpose text,
  data jsonb,
  campaign_id uuid,
  journey_id uuid,
  run_id uuid,
  visit integer,
  step text,
  variant smallint,
  depth smallint,
  not_after timestamptz,
  on_cap text,
  due_at timestamptz
);
comment on type private.new_send is 'A message to create: see private.create_sends.';

create type private.send_credit as (
  row_id tid,
  workspace_id uuid,
  sender_id uuid,
  -- How many rows may be taken.
  credit integer,
  -- No row is due earlier.
  due_at timestamptz,
  tokens double precision
);
comment on type private.send_credit is 'A lane of sends that a claim holds locked.';

create type private.taken_send as (
  workspace_id uuid,
  sender_id uuid,
  send_id uuid,
  due_at timestamptz,
  attempts integer,
  is_marketing boolean
);
comment on type private.taken_send is 'A row of the queue of sends that a claim has just taken.';

create type private.send_start as (
  workspace_id uuid,
  sender_id uuid,
  send_id uuid,
  -- The time in send_id: it names the partition of the message.
  queued_at timestamptz,
  claim uuid,
  -- The address that the message was rendered for.
  email text,
  template_version integer,
  message_id text,
  facts jsonb,
  links text[]
);
comment on type private.send_start is 'A rendered message that is about to be handed over.';

create type private.send_check as (
  workspace_id uuid,
  send_id uuid,
  -- See private.begin_sends.
  decision text,
  reason text,
  until timestamptz,
  address_hash bytea,
  -- True if the caps of the workspace count it.
  is_capped boolean,
  on_cap text,
  not_after timestamptz
);
comment on type private.send_check is
  'The decision about a message right before it is handed over.';

create type private.send_result as (
  position bigint,
  claim uuid,
  workspace_id uuid,
  sender_id uuid,
  send_id uuid,
  -- The time in send_id: it names the partition of the message.
  queued_at timestamptz,
  -- sent, failed, skipped and unknown end it. retry: failed, due again at next_attempt_at. release:
  -- not tried, due again.
  action text,
  reason text,
  -- The provider's id of the message.
  provider_id text,
  -- True if the failure is the sender's, not the recipient's.
  is_sender_failure boolean,
  -- True if the provider said that the address does not exist.
  is_hard_bounce boolean,
  -- The provider wants no message before this.
  paused_until timestamptz,
  next_attempt_at timestamptz,
  -- The entry of the log; null when nothing was tried.
  attempt jsonb,
  duration_ms integer,
  attempted_at timestamptz
);
comment on type private.send_result is 'The result of one claimed send, as the dispatcher reports it.';

create type private.send_tally as (
  workspace_id uuid,
  sender_id uuid,
  -- Rows whose claim ended, and when the remaining ones are due.
  finished integer,
  due_at timestamptz,
  -- Messages that were handed over.
  handed integer,
  succeeded_at timestamptz,
  -- Failures of the sender after the last success.
  failures integer,
  failed_at timestamptz,
  last_failed_at timestamptz,
  last_error text,
  response_ms double precision,
  paused_until timestamptz
);
comment on type private.send_tally is 'The effect of a batch of results on the lane of a sender.';

grant select on public.sends to signalpost_user, signalpost_key;
create policy "Members can read sends" on public.sends
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read sends" on public.sends
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(
    array['sends:read', 'sends:write', 'customers:read']
  )));
create policy "Nobody can read sends to erased customers" on public.sends
  as restrictive for select to signalpost_user, signalpost_key
  using (customer_id is null or customer_id <> all (array(select private.erased_customer_ids())));

insert into private.erasure_steps (subject, position, step, function_name)
values ('customer', 14, 'sends', 'private.erase_sends');

insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values
  ('delete old send keys', '1 hour', 46, 'private.delete_old_send_keys($1, $2)', 10000, 20),
  ('delete old uses of caps', '1 hour', 47, 'private.delete_old_cap_uses($1, $2)', 10000, 20),
  ('delete old links of erased customers', '1 hour', 52, 'private.delete_old_erased_sends($1, $2)', 10000, 20);
insert into private.periodic_tasks (name, every, position, call)
values ('repair lanes of sends', '1 hour', 91, 'private.repair_send_lanes()');
insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values ('retry sends of corrected senders', '10 seconds', 70, 'private.retry_corrected_senders($1)', 5000, 4);
