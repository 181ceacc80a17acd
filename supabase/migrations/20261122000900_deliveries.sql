-- Purpose: the delivery log, one row per attempt, and its totals by the hour.
-- Risk:    no foreign keys on the hot path. Rows go with their partition after 30 days, totals by
--          an hourly task after 400.
-- Undo:    drop the tables and their row of private.partition_policies.

create table public.deliveries (
  workspace_id uuid not null,
  id uuid not null,
  destination_id uuid not null,
  message_id uuid not null,
  message_created_at timestamptz not null,
  event_type text not null,
  attempt_number integer not null check (attempt_number > 0),
  trigger text not null check (trigger in ('event', 'retry', 'replay', 'test')),
  ok boolean not null,
  status_code smallint,
  response_snippet text,
  response_headers jsonb,
  error text,
  duration_ms integer,
  attempted_at timestamptz not null,
  next_attempt_at timestamptz,
  primary key (workspace_id, attempted_at, id)
) partition by range (attempted_at);
comment on table public.deliveries is
  'Every attempt to send a message to a destination, append-only. The id is a version 7 UUID of attempted_at.';
create index deliveries_destination_id_idx
  on public.deliveries (workspace_id, destination_id, attempted_at, id);
create index deliveries_event_type_idx
  on public.deliveries (workspace_id, event_type, attempted_at, id);
create index deliveries_failed_idx
  on public.deliveries (workspace_id, attempted_at, id) where not ok;
-- For the page of a destination, and for replays: skips attempts that succeeded in between.
create index deliveries_destination_id_failed_idx
  on public.deliveries (workspace_id, destination_id, attempted_at, id) where not ok;
create index deliveries_message_id_idx on public.deliveries (workspace_id, message_id);
-- For the list of messages: one entry for each message that was delivered or given up.
create index deliveries_decided_idx
  on public.deliveries (workspace_id, destination_id, ok, message_id) where next_attempt_at is null;

create table private.deliveries_default partition of public.deliveries default;

-- Totals are kept, not counted: a busy destination has millions of rows in the log.
create table public.delivery_stats (
  workspace_id uuid not null,
  destination_id uuid not null,
  hour timestamptz not null,
  ok integer not null,
  failed integer not null,
  primary key (workspace_id, destination_id, hour)
) with (fillfactor = 50);
comment on table public.delivery_stats is
  'Counts of the attempts at a destination, without pings, that succeeded and failed in the hour that starts at hour. Kept after the destination is deleted, because usage adds it up.';
create index delivery_stats_hour_idx on public.delivery_stats (workspace_id, hour);

-- Apart from the totals: counting attempts does not need durations.
create table public.delivery_durations (
  workspace_id uuid not null,
  destination_id uuid not null,
  hour timestamptz not null,
  from_ms integer not null,
  attempts integer not null,
  total_ms bigint not null,
  max_ms integer not null,
  primary key (workspace_id, destination_id, hour, from_ms)
) with (fillfactor = 50);
comment on table public.delivery_durations is
  'A histogram of duration_ms by destination and hour: attempts that took from_ms or longer, and less than the next of private.duration_steps(). Attempts without a duration are not included.';

alter table public.deliveries enable row level security;
alter table private.deliveries_default enable row level security;
alter table public.delivery_stats enable row level security;
alter table public.delivery_durations enable row level security;

grant select on public.deliveries, public.delivery_stats, public.delivery_durations
  to signalpost_user, signalpost_key;

create policy "Members can read deliveries" on public.deliveries
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read deliveries" on public.deliveries
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['deliveries:read', 'deliveries:write'])));

create policy "Members can read delivery stats" on public.delivery_stats
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read delivery stats" on public.delivery_stats
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['destinations:read', 'destinations:write', 'deliveries:read', 'events:read'])));

create policy "Members can read delivery durations" on public.delivery_durations
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read delivery durations" on public.delivery_durations
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['destinations:read', 'destinations:write', 'deliveries:read'])));

insert into private.partition_policies (table_name, step, ahead, keep)
values ('deliveries', 'day', 3, '30 days');
select private.ensure_partitions();

insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values
  ('delete old delivery totals', '1 hour', 20, 'private.delete_old_delivery_totals($1, $2)', 10000, 20);
