-- Purpose: cells: where a workspace went, who belongs to workspaces elsewhere, moves in progress.
-- Locks:   none.
-- Risk:    none: with one cell, they stay as they are here.
-- Undo:    drop the tables.

create table private.this_cell (
  id boolean primary key default true check (id),
  name text not null default '00' check (name ~ '^[0-9a-f]{2}$')
);
comment on table private.this_cell is 'One row: the name of this cell, see ops.name_cell.';
insert into private.this_cell default values;
alter table private.this_cell enable row level security;

create table private.moved_addresses (
  address bytea primary key,
  workspace_id uuid not null,
  cell text not null check (cell ~ '^[0-9a-f]{2}$')
);
comment on table private.moved_addresses is
  'Keys (SHA-256) and sources (the 16 bytes of the id) of workspaces that moved away, and to which cell.';
create index moved_addresses_workspace_id_idx on private.moved_addresses (workspace_id);
alter table private.moved_addresses enable row level security;

create table private.directory (
  workspace_id uuid not null,
  user_id uuid not null,
  cell text not null check (cell ~ '^[0-9a-f]{2}$'),
  primary key (workspace_id, user_id)
);
comment on table private.directory is
  'In the first cell: the members of workspaces that live in other cells.';
create index directory_user_id_idx on private.directory (user_id);
alter table private.directory enable row level security;

create table private.workspace_moves (
  workspace_id uuid primary key,
  direction text not null check (direction in ('in', 'out')),
  cell text not null check (cell ~ '^[0-9a-f]{2}$'),
  state text not null check (state in ('copying', 'switching', 'moved', 'arriving', 'adopted')),
  taken_rows jsonb,
  started_at timestamptz not null default clock_timestamp(),
  switched_at timestamptz
);
comment on table private.workspace_moves is
  'Moves of workspaces between this cell and another, until they are finished.';
comment on column private.workspace_moves.taken_rows is
  'While switching: the rows of the tables that move as a whole, by table.';
alter table private.workspace_moves enable row level security;

create table private.move_marks (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  primary key (workspace_id, id)
);
comment on table private.move_marks is
  'A row that follows the last change of a workspace: when it has arrived, everything has.';
alter table private.move_marks enable row level security;

create table private.move_rules (
  table_name text primary key,
  is_copied boolean not null default false,
  is_taken_out boolean not null default false check (is_copied or not is_taken_out),
  skips text[] not null default '{}' check (skips <@ array['INSERT', 'UPDATE', 'DELETE'])
);
comment on table private.move_rules is
  'Tables that do not move by replication alone. is_copied: as a whole at the switch, because background work or a key finds the rows. is_taken_out: deleted before the switch, so that the work stops. skips: operations of background work that have no effect during the switch instead of failing.';
alter table private.move_rules enable row level security;

insert into private.move_rules (table_name, is_copied, is_taken_out, skips)
values
  ('public.workspaces', true, false, '{}'),
  ('public.workspace_members', true, false, '{}'),
  ('public.invitations', true, false, '{}'),
  ('public.inbound_sources', true, false, '{}'),
  ('private.api_keys', true, false, '{UPDATE}'),
  ('private.lanes', true, true, '{INSERT}'),
  ('private.lane_arrivals', true, true, '{}'),
  ('private.fan_outs', true, true, '{}'),
  ('private.erasures', true, true, '{}'),
  ('private.usage_deltas', true, true, '{}'),
  ('public.jobs', true, true, '{}'),
  ('private.segment_lanes', true, true, '{}'),
  ('private.segment_jobs', true, true, '{}'),
  ('private.campaign_jobs', true, true, '{}'),
  ('private.campaign_counts', true, true, '{}'),
  ('private.topic_counts', true, true, '{}'),
  ('private.send_lanes', true, true, '{INSERT}'),
  ('private.send_arrivals', true, true, '{}'),
  ('private.send_queue', false, false, '{UPDATE,DELETE}'),
  ('public.sends', false, false, '{UPDATE}'),
  ('public.sender_stats', false, false, '{INSERT,UPDATE}'),
  ('private.webhook_queue', false, false, '{UPDATE,DELETE}'),
  ('public.deliveries', false, false, '{INSERT}'),
  ('public.delivery_stats', false, false, '{INSERT,UPDATE}'),
  ('public.delivery_durations', false, false, '{INSERT,UPDATE}'),
  ('public.rejected_entries', false, false, '{INSERT}'),
  ('public.rejected_entry_stats', false, false, '{INSERT,UPDATE}');
