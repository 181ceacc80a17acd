-- Purpose: entries that were refused, until their cause is fixed.
-- Risk:    no foreign keys on the hot path. Kept for 7 days.
-- Undo:    drop the table with its row of private.partition_policies.

create table public.rejected_entries (
  workspace_id uuid not null,
  id uuid not null,
  rejected_at timestamptz not null,
  origin text not null check (origin in ('track', 'segment', 'inbound')),
  source_id uuid,
  receipt_id uuid,
  -- Text, not jsonb: a refused entry may contain what jsonb cannot.
  entry text not null,
  is_truncated boolean not null default false,
  part smallint,
  headers jsonb not null default '{}',
  message_id text,
  code text not null,
  error text not null,
  field text,
  -- See private.field_in_entry: to filter by.
  field_in_entry text,
  -- Hash of private.rejection_reason: a reason can be too long for an index.
  reason_hash bigint,
  request_id uuid not null,
  resent_at timestamptz,
  resent_event_id uuid,
  discarded_at timestamptz,
  primary key (workspace_id, rejected_at, id),
  constraint rejected_entries_source_check check ((origin = 'inbound') = (source_id is not null))
) partition by range (rejected_at);
comment on table public.rejected_entries is
  'Refused entries as they were sent, and why. For inbound: an item of the payload, and which of its entries.';
create index rejected_entries_source_id_idx
  on public.rejected_entries (workspace_id, source_id, rejected_at, id)
  where source_id is not null;
create index rejected_entries_origin_idx
  on public.rejected_entries (workspace_id, origin, rejected_at, id);
create index rejected_entries_code_idx
  on public.rejected_entries (workspace_id, code, rejected_at, id);
create index rejected_entries_field_in_entry_idx
  on public.rejected_entries (workspace_id, field_in_entry, rejected_at, id)
  where field_in_entry is not null;
create index rejected_entries_reason_hash_idx
  on public.rejected_entries (workspace_id, reason_hash, rejected_at, id);
create index rejected_entries_resent_idx
  on public.rejected_entries (workspace_id, rejected_at, id) where resent_at is not null;
create index rejected_entries_discarded_idx
  on public.rejected_entries (workspace_id, rejected_at, id) where discarded_at is not null;

create table private.rejected_entries_default partition of public.rejected_entries default;
alter table public.rejected_entries enable row level security;
alter table private.rejected_entries_default enable row level security;

grant select on public.rejected_entries to signalpost_user, signalpost_key;

create policy "Members can read rejected entries" on public.rejected_entries
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read rejected entries" on public.rejected_entries
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['events:read', 'track:write'])));

insert into private.partition_policies (table_name, step, ahead, keep)
values ('rejected_entries', 'day', 3, '7 days');
select private.ensure_partitions();
