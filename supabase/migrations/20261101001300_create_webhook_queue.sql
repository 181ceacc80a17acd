-- Purpose: what is still to be sent.
-- Locks:   none on existing tables.
-- Risk:    the hottest table: narrow, three indexes, emptied as fast as it fills.
-- Undo:    drop the tables, the trigger and the functions.

create table private.webhook_queue (
  workspace_id uuid not null,
  destination_id uuid not null,
  message_id uuid not null,
  message_created_at timestamptz not null,
  due_at timestamptz not null,
  claim uuid,
  claimed_at timestamptz,
  lease_until timestamptz,
  -- Attempts logged so far, and those of this run of the schedule: a replay starts a new run.
  attempts integer not null default 0,
  tries integer not null default 0,
  trigger text not null default 'event' check (trigger in ('event', 'retry', 'replay', 'test')),
  -- Asked for by a person, one at a time: goes even where the breaker is open.
  is_manual boolean not null default false,
  -- A replay was asked for while the row was claimed: it starts when the claim ends.
  is_replayed boolean not null default false,
  primary key (workspace_id, destination_id, message_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
comment on table private.webhook_queue is
  'One row a message and destination, from its publication to its success or last attempt. Which rows can be claimed is for their lane to say.';
create index webhook_queue_waiting_idx
  on private.webhook_queue (destination_id, is_manual, due_at, message_id) where claim is null;
create index webhook_queue_claimed_idx
  on private.webhook_queue (destination_id) where lease_until is not null;

create table private.lane_arrivals (
  workspace_id uuid not null,
  id bigint generated always as identity,
  destination_ids uuid[] not null,
  -- None of the new rows is due before.
  due_at timestamptz not null,
  is_manual boolean not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
comment on table private.lane_arrivals is
  'Lanes that got new rows. Appended, so that publishers never wait for a lane or for each other; the next claim folds them into the lanes.';

-- One row a message, and not one a message and destination: what a call writes stays in proportion
-- to what it holds.
create table private.fan_outs (
  workspace_id uuid not null,
  message_id uuid not null,
  message_created_at timestamptz not null,
  -- Those that wanted the message when it was made: enabled ones, and disabled ones that miss it.
  destination_ids uuid[] not null,
  missed_ids uuid[] not null,
  primary key (workspace_id, message_id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
comment on table private.fan_outs is
  'Messages that are still to be queued for their destinations, because a call made too many rows of the queue at once. Dispatchers work them off in steps, see private.work_fan_outs.';

alter table private.webhook_queue enable row level security;
alter table private.fan_outs enable row level security;
alter table private.lane_arrivals enable row level security;

create function private.is_any_queued_before(p_at timestamptz)
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  select exists (
    select
    from private.webhook_queue as q
    join private.lanes as l
      on l.workspace_id = q.workspace_id and l.destination_id = q.destination_id
    where q.message_created_at < p_at and l.is_enabled
  ) or exists (
    select from private.fan_outs as f where f.message_created_at < p_at
  )
$$;
comment on function private.is_any_queued_before(timestamptz) is
  'Whether a message from before p_at is still to be sent to a destination that is enabled.';

create function private.note_arrivals()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into private.lane_arrivals (workspace_id, destination_ids, due_at, is_manual)
  select a.workspace_id, array_agg(distinct a.destination_id), min(a.due_at), a.is_manual
  from arrived as a
  group by a.workspace_id, a.is_manual;
  if found then
    perform private.wake_dispatcher();
  end if;
  return null;
end
$$;
comment on function private.note_arrivals() is
  'Notes once a statement which lanes got rows, however many, and wakes a dispatcher.';
create trigger webhook_queue_arrive after insert on private.webhook_queue
  referencing new table as arrived
  for each statement execute function private.note_arrivals();
