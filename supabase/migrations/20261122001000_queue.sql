-- Purpose: deliveries to send: a lane per destination, the queue, claims, and durable jobs.
-- Risk:    lanes are locked by claims and completions for milliseconds, never by publishers. The
--          queue is the hottest table: narrow, three indexes, emptied as fast as it fills.
-- Undo:    drop the tables and types.

create table private.lanes (
  workspace_id uuid not null,
  destination_id uuid not null,
  -- Copied from the destination; is_enabled is also false after it was deleted.
  is_enabled boolean not null,
  max_concurrency integer not null,
  rate_limit_per_second integer,
  -- Waiting rows: none is due before this; null if there are none. Manual ones pass
  -- every gate.
  due_at timestamptz,
  manual_due_at timestamptz,
  -- Claimed rows, and the one dispatcher that holds them all.
  in_flight integer not null default 0,
  owner uuid,
  -- Rate limit.
  tokens double precision not null default 1,
  refilled_at timestamptz not null default '-infinity',
  limited_until timestamptz,
  -- Circuit breaker: with probes it is open until open_until, then lets that many through.
  probes integer,
  trips integer not null default 0,
  open_until timestamptz,
  -- Health. Failures are those since the last success.
  failures integer not null default 0,
  failing_since timestamptz,
  is_failing boolean not null default false,
  enabled_at timestamptz not null default clock_timestamp(),
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error text,
  -- Beyond its concurrency, a lane hands out as many rows as recent responses suggest will be sent
  -- within a quarter of a second: its dispatcher never waits for a claim, and few rows wait there.
  ahead integer not null default 0,
  capacity integer not null generated always as (
    coalesce(probes, least(max_concurrency * (1 + ahead), 500))
  ) stored,
  -- The time from which rows can be claimed; recently served lanes come last; null for never.
  ready_at timestamptz generated always as (
    least(
      case when in_flight < 1000 then manual_due_at end,
      case
        when is_enabled and due_at is not null
          and in_flight < coalesce(probes, least(max_concurrency * (1 + ahead), 500))
        then greatest(due_at, open_until, limited_until, refilled_at)
      end
    )
  ) stored,
  -- An index on ready_at itself would fill with dead entries, and every claim would scan them.
  is_waiting boolean not null generated always as (
    (in_flight < 1000 and manual_due_at is not null)
    or (
      is_enabled and due_at is not null
      and in_flight < coalesce(probes, least(max_concurrency * (1 + ahead), 500))
    )
  ) stored,
  primary key (workspace_id, destination_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
comment on table private.lanes is
  'One row per destination; kept after the destination was deleted until its queue is empty.';
create index lanes_waiting_idx on private.lanes (workspace_id, destination_id) where is_waiting;
alter table private.lanes enable row level security;

create table private.work_wakes (
  -- The function that is woken.
  worker text not null,
  slot smallint not null,
  notified_at timestamptz not null default '-infinity',
  posted_at timestamptz not null default '-infinity',
  -- In slot 0, which no wake-up locks: until then a run of the function looks for work itself.
  watched_until timestamptz not null default '-infinity',
  primary key (worker, slot)
);
comment on table private.work_wakes is
  'When functions that claim work were last woken. Three slots each, so that a transaction that holds one does not block wake-ups: see private.wake_worker.';
insert into private.work_wakes (worker, slot) select 'webhook-dispatch', generate_series(0, 3);

create table private.dispatch_state (
  id boolean primary key default true check (id),
  -- The database that ops.configure_dispatch was called in; a restored copy is another one.
  configured_for text
);
comment on table private.dispatch_state is 'One row: whether functions may be called.';
insert into private.dispatch_state default values;

alter table private.work_wakes enable row level security;
alter table private.dispatch_state enable row level security;

create table private.webhook_queue (
  workspace_id uuid not null,
  destination_id uuid not null,
  message_id uuid not null,
  message_created_at timestamptz not null,
  due_at timestamptz not null,
  claim uuid,
  claimed_at timestamptz,
  lease_until timestamptz,
  -- Logged attempts, and those of this run of the retry schedule: a replay starts a new run.
  attempts integer not null default 0,
  tries integer not null default 0,
  trigger text not null default 'event' check (trigger in ('event', 'retry', 'replay', 'test')),
  -- Requested by a person: sent even if the circuit breaker is open.
  is_manual boolean not null default false,
  -- A replay was requested while the row was claimed: it starts when the claim ends.
  is_replayed boolean not null default false,
  primary key (workspace_id, destination_id, message_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
comment on table private.webhook_queue is
  'One row per message and destination, from publication to success or the last attempt. Lanes decide which rows can be claimed.';
create index webhook_queue_waiting_idx
  on private.webhook_queue (destination_id, is_manual, due_at, message_id) where claim is null;
create index webhook_queue_claimed_idx
  on private.webhook_queue (destination_id) where lease_until is not null;

create table private.lane_arrivals (
  workspace_id uuid not null,
  id bigint generated always as identity,
  destination_ids uuid[] not null,
  -- None of the new rows is due earlier.
  due_at timestamptz not null,
  is_manual boolean not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
comment on table private.lane_arrivals is
  'Lanes that got new rows. Appended, so that publishers never wait for a lane or for each other; the next claim adds them to the lanes.';

-- One row per message, not per message and destination: what a call writes stays in proportion
-- to its size.
create table private.fan_outs (
  workspace_id uuid not null,
  message_id uuid not null,
  message_created_at timestamptz not null,
  -- Destinations that wanted the message when it was created: enabled and disabled ones.
  destination_ids uuid[] not null,
  missed_ids uuid[] not null,
  primary key (workspace_id, message_id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
comment on table private.fan_outs is
  'Messages that are still to be queued for their destinations, because a call created too many rows of the queue at once. Dispatchers queue them in steps, see private.work_fan_outs.';

alter table private.webhook_queue enable row level security;
alter table private.fan_outs enable row level security;
alter table private.lane_arrivals enable row level security;

create type private.lane_credit as (
  row_id tid,
  workspace_id uuid,
  destination_id uuid,
  -- How many rows may be taken; credit is 0 if only manual rows may be sent.
  credit integer,
  manual_credit integer,
  -- No row is due earlier.
  due_at timestamptz,
  manual_due_at timestamptz,
  tokens double precision
);
comment on type private.lane_credit is 'A lane that a claim holds locked.';

create type private.taken_row as (
  workspace_id uuid,
  destination_id uuid,
  message_id uuid,
  message_created_at timestamptz,
  due_at timestamptz,
  attempts integer,
  tries integer,
  trigger text,
  is_manual boolean
);
comment on type private.taken_row is 'A row of the queue that a claim has just taken.';

create type private.attempt_result as (
  position bigint,
  claim uuid,
  id uuid,
  workspace_id uuid,
  destination_id uuid,
  message_id uuid,
  message_created_at timestamptz,
  event_type text,
  attempt_number integer,
  trigger text,
  -- delivered, exhausted, retry; disable holds the message for when the destination is enabled
  -- again. No attempts were: release (not sent, due again) and drop (nothing to send).
  action text,
  ok boolean,
  status_code smallint,
  response_snippet text,
  response_headers jsonb,
  error text,
  duration_ms integer,
  attempted_at timestamptz,
  next_attempt_at timestamptz,
  -- Why the destination is to be disabled.
  reason text
);
comment on type private.attempt_result is 'The result of one attempt, as the dispatcher reports it.';

create type private.finished_row as (
  workspace_id uuid,
  destination_id uuid,
  due_at timestamptz,
  is_manual boolean
);
comment on type private.finished_row is
  'A row of the queue whose claim has ended, and when it is due again; null for never.';

create type private.lane_tally as (
  workspace_id uuid,
  destination_id uuid,
  -- Rows whose claim ended, and when the remaining ones are due.
  finished integer,
  due_at timestamptz,
  manual_due_at timestamptz,
  -- Health of the destination; failures are those after the last success.
  succeeded_at timestamptz,
  failures integer,
  failed_at timestamptz,
  last_failed_at timestamptz,
  last_error text,
  -- Mean response time; null when some attempts failed, or were given back unsent.
  response_ms double precision,
  disable_reason text
);
comment on type private.lane_tally is 'The effect of a batch of results on one lane.';

create table public.jobs (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  kind text not null check (kind in ('replay', 'recover', 'discard')),
  destination_id uuid not null,
  since timestamptz not null,
  until timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'running', 'done')),
  done integer not null default 0,
  total integer not null,
  -- The last failed attempt that a replay has read.
  cursor_at timestamptz not null default '-infinity',
  cursor_id uuid not null default '00000000-0000-0000-0000-000000000000',
  created_at timestamptz not null default clock_timestamp(),
  worked_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  primary key (workspace_id, id),
  constraint jobs_destination_id_fkey foreign key (workspace_id, destination_id)
    references public.destinations (workspace_id, id) on delete cascade
);
comment on table public.jobs is
  'Replays, recoveries and discards of many messages, done in batches by the dispatchers; after a restart they continue where the last batch ended.';
create index jobs_destination_id_idx on public.jobs (workspace_id, destination_id);
create index jobs_worked_at_idx on public.jobs (worked_at) where finished_at is null;
create index jobs_unfinished_idx on public.jobs (workspace_id) where state <> 'done';
alter table public.jobs enable row level security;
select private.limit_kind(
  'jobs', 'public.jobs', p_action => 'start job', p_noun => 'unfinished jobs',
  p_condition => 'state <> ''done'' and kind in (''replay'', ''recover'', ''discard'')'
);
grant select on public.jobs to signalpost_user, signalpost_key;

create policy "Members can read jobs" on public.jobs
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read jobs" on public.jobs
  for select to signalpost_key
  -- Those of journeys too: a rehearsal is a job for callers, and one call reads both.
  using (workspace_id = (select private.key_workspace_id(array[
    'destinations:read', 'destinations:write', 'deliveries:read', 'deliveries:write', 'journeys:read', 'journeys:write'
  ])));

insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values
  ('delete rows that are never sent', '1 hour', 10, 'private.delete_unsendable_rows($1, $2)', 10000, 20);
insert into private.periodic_tasks (name, every, position, call)
values ('repair lanes', '1 hour', 90, 'private.repair_lanes()');
