-- Purpose: the timeline: every event, identify and alias as it arrived; idempotency keys; the types
--          that entries pass through on their way in.
-- Risk:    no foreign keys on the hot path; erasure takes the workspace's exclusive advisory lock
--          instead, so that no event is stored on an identity that is being erased. Idempotency keys
--          have a table of their own: a unique key on the partitioned events would need the time in
--          it and never match.
-- Undo:    drop the tables and types, and the row of private.partition_policies.

create table public.events (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null default 'event' check (kind in ('event', 'identify', 'alias')),
  identity_id bigint not null,
  external_id text,
  anon_id text,
  name text collate "C",
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  properties jsonb not null default '{}',
  context jsonb not null default '{}',
  primary key (workspace_id, received_at, id),
  constraint events_name_check check ((kind = 'event') = (name is not null))
) partition by range (received_at);
comment on table public.events is
  'Stored entries, each on the identity it arrived on; external_id and anon_id as in the call.';
-- The name comes last: a timeline filtered by name reads only the index, not each event.
create index events_identity_id_idx
  on public.events (workspace_id, identity_id, occurred_at, id, name);
-- With all that funnels and cohorts need, so that they read only the index.
create index events_name_idx
  on public.events (workspace_id, name, received_at, id)
  include (occurred_at, identity_id) where name is not null;

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

create table private.idempotency_keys (
  workspace_id uuid not null,
  -- Compared by its bytes in every database.
  key text collate "C" not null,
  event_id uuid not null,
  customer_id uuid not null,
  created_at timestamptz not null,
  primary key (workspace_id, key)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
comment on table private.idempotency_keys is
  'The ids in the response to the first call with a key; valid for 24 h from that call.';
-- Not brin, whose ranges never narrow: as rows are replaced, each range would seem to hold old ones.
create index idempotency_keys_created_at_idx on private.idempotency_keys (created_at);
alter table private.idempotency_keys enable row level security;

create type private.ingest_entry as (
  workspace_id uuid,
  kind text,
  external_id text,
  anon_id text,
  previous_id text,
  idempotency_key text,
  event_id uuid,
  identity_id bigint,
  customer_id uuid,
  repeats integer,
  is_duplicate boolean,
  unmerged_reason text,
  -- Why the entry is not stored: an error code, and the field it is about.
  refused_code text,
  refused_field text
);
comment on type private.ingest_entry is
  'One entry on its way through private.ingest: its ids, what they lead to, and the result.';

create type private.created_identity as (
  identity_id bigint,
  workspace_id uuid,
  customer_id uuid,
  kind text,
  entry_kind text,
  i integer,
  last_i integer
);
comment on type private.created_identity is
  'An identity that the batch created, with its customer: kind and position of the entry that created it, and the position of the last entry that uses it.';

create type private.customer_change as (
  workspace_id uuid,
  customer_id uuid,
  i integer,
  is_created boolean,
  merged jsonb,
  changed text[]
);
comment on type private.customer_change is
  'The effect of the entry at position i on a customer: created, another one merged into it, fields changed.';

create type private.ingest_step as (
  i integer,
  workspace_id uuid,
  kind text,
  is_creator boolean,
  external_id text,
  -- anon_id, or previous_id.
  other_id text,
  -- The identity of external_id and its customer; null when unknown so far.
  identity_id bigint,
  customer_id uuid,
  -- The same for the other id: of kind external for an alias, else anon.
  other_identity_id bigint,
  other_customer_id uuid,
  -- Whether the entry itself created the other identity, and the last entry that uses it.
  is_link boolean,
  last_i integer,
  profile jsonb,
  attributes jsonb,
  -- Set by private.resolve_step.
  is_merge boolean,
  unmerged_reason text,
  refused_code text,
  refused_field text
);
comment on type private.ingest_step is
  'An identify or alias of a batch with the ids that it finds. One of Segment''s format is of kind segment_alias until private.resolve_step has read it.';

insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values
  ('delete expired idempotency keys', '10 seconds', 20, 'private.delete_expired_idempotency_keys($1)', 10000, 10);
