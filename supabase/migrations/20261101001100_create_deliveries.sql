-- Purpose: the delivery log, one row an attempt, and its totals by the hour.
-- Locks:   none on existing tables.
-- Risk:    no foreign keys on the hot path. Rows go with their partition after 30 days.
-- Undo:    drop the tables and the row of private.partition_policies.

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
  error text,
  duration_ms integer,
  attempted_at timestamptz not null,
  next_attempt_at timestamptz,
  primary key (workspace_id, attempted_at, id)
) partition by range (attempted_at);
comment on table public.deliveries is
  'Every attempt to send a message to a destination, append-only. The id is a version 7 UUID of attempted_at.';
create index deliveries_destination_id_idx
  on public.deliveries (workspace_id, destination_id, attempted_at desc, id desc);
create index deliveries_event_type_idx
  on public.deliveries (workspace_id, event_type, attempted_at desc, id desc);
create index deliveries_failed_idx
  on public.deliveries (workspace_id, attempted_at desc, id desc) where not ok;
create index deliveries_message_id_idx on public.deliveries (workspace_id, message_id);

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
  'How many attempts at a destination succeeded and failed in the hour that starts at hour.';
create index delivery_stats_hour_idx on public.delivery_stats (workspace_id, hour);

alter table public.deliveries enable row level security;
alter table private.deliveries_default enable row level security;
alter table public.delivery_stats enable row level security;

grant select on public.deliveries, public.delivery_stats
  to authenticated, signalpost_key, service_role;

create policy "Members can read deliveries" on public.deliveries
  for select to authenticated
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read deliveries" on public.deliveries
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['deliveries:read', 'deliveries:write'])));

create policy "Members can read delivery stats" on public.delivery_stats
  for select to authenticated
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read delivery stats" on public.delivery_stats
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['destinations:read', 'destinations:write', 'deliveries:read', 'events:read'])));

insert into private.partition_policies (table_name, step, ahead, keep)
values ('deliveries', 'day', 3, '30 days');
select private.ensure_partitions();

create function private.uuid_v7_time(p_id uuid)
returns timestamptz
language sql
immutable
security invoker
set search_path = ''
as $$
  select to_timestamp(
    ('x' || lpad(left(replace(p_id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0
  )
$$;
comment on function private.uuid_v7_time(uuid) is
  'The millisecond a version 7 UUID was made in: the attempted_at of a delivery, hence its partition.';
grant execute on function private.uuid_v7_time(uuid) to authenticated, signalpost_key;
