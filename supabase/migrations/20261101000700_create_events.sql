-- Purpose: the timeline: every event, identify and alias as it arrived.
-- Locks:   none on existing tables.
-- Risk:    no foreign keys on the hot path; erasure takes the workspace's exclusive advisory lock
--          instead, so that no event is stored on an identity that is being erased.
-- Undo:    drop table public.events cascade, and its row of private.partition_policies.

create table public.events (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null default 'event' check (kind in ('event', 'identify', 'alias')),
  identity_id bigint not null,
  external_id text,
  anon_id text,
  name text,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  properties jsonb not null default '{}',
  context jsonb not null default '{}',
  primary key (workspace_id, received_at, id),
  constraint events_name_check check ((kind = 'event') = (name is not null))
) partition by range (received_at);
comment on table public.events is
  'What arrived, on the identity it arrived on; external_id and anon_id as the call carried them.';
-- The name is last: a timeline that is filtered by it reads the index only, not each event.
create index events_identity_id_idx
  on public.events (workspace_id, identity_id, occurred_at desc, id desc, name);
create index events_name_idx
  on public.events (workspace_id, name, received_at desc, id desc) where name is not null;

-- One identity may have millions of events. On average it has few, and the planner would read and
-- sort them all for a page of the timeline rather than follow the index.
alter table public.events alter column identity_id set (n_distinct = 100);

create table private.events_default partition of public.events default;
alter table public.events enable row level security;
alter table private.events_default enable row level security;

grant select on public.events to signalpost_user, signalpost_key;

create policy "Members can read events" on public.events
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read events" on public.events
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['events:read', 'customers:read', 'deliveries:read'])));

insert into private.partition_policies (table_name, step, ahead, keep)
values ('events', 'month', 3, null);
select private.ensure_partitions();
