-- Purpose: segments, their members and changes; the state from which membership follows the events.
-- Risk:    no foreign keys on the hot path. private.signals grows while nobody folds it: see
--          ops.segment_lag.
-- Undo:    drop the tables and types, and the rows of the registries.

create table public.segments (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  key text check (char_length(key) between 1 and 200),
  name text not null check (char_length(name) between 1 and 200),
  description text check (char_length(description) <= 1000),
  kind text not null default 'live' check (kind in ('live', 'static')),
  -- References to segments and topics are ids.
  condition jsonb,
  state text not null default 'ready' check (state in ('computing', 'ready')),
  progress real not null default 1 check (progress between 0 and 1),
  members bigint not null default 0,
  -- The members of this version are the members.
  version integer not null default 0,
  -- Since when they are. Nothing is known of who would have been a member before.
  version_at timestamptz not null default clock_timestamp(),
  -- The newest version; while it is computed, the members of the version before it stand.
  computed_version integer not null default 0,
  computed_members bigint not null default 0,
  -- Above the level of each segment that the condition names.
  level integer not null default 0,
  -- An event can make customers members, and never ends a membership.
  is_growing boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint segments_workspace_id_key_key unique (workspace_id, key),
  constraint segments_kind_condition_check check ((kind = 'live') = (condition is not null)),
  constraint segments_computed_check check ((state = 'ready') = (version = computed_version))
);
comment on table public.segments is
  'A named set of customers: live, defined by a condition and kept true, or static, a list.';

create table public.segment_members (
  workspace_id uuid not null,
  segment_id uuid not null,
  version integer not null,
  customer_id uuid not null,
  since timestamptz not null,
  primary key (workspace_id, segment_id, version, customer_id)
);
comment on table public.segment_members is
  'The members of each version of a segment; those of segments.version count.';
create index segment_members_customer_id_idx on public.segment_members (workspace_id, customer_id);

create table public.segment_stats (
  workspace_id uuid not null,
  segment_id uuid not null,
  hour timestamptz not null,
  entered bigint not null default 0,
  "left" bigint not null default 0,
  members bigint not null,
  primary key (workspace_id, segment_id, hour)
);
comment on table public.segment_stats is
  'Per hour how many customers entered and left a segment, and how many members it had at the end.';

create table public.segment_changes (
  workspace_id uuid not null,
  at timestamptz not null,
  id uuid not null,
  segment_id uuid not null,
  customer_id uuid not null,
  change text not null check (change in ('entered', 'left')),
  cause text not null check (cause in ('event', 'profile', 'time', 'merge', 'segment', 'consent', 'list')),
  primary key (workspace_id, at, id)
) partition by range (at);
comment on table public.segment_changes is
  'The customers who entered and left segments, with the cause. list: added to or removed from a static segment.';
create index segment_changes_segment_id_idx
  on public.segment_changes (workspace_id, segment_id, at, id);
create index segment_changes_customer_id_idx on public.segment_changes (workspace_id, customer_id);
create table private.segment_changes_default partition of public.segment_changes default;

alter table public.segments enable row level security;
alter table public.segment_members enable row level security;
alter table public.segment_stats enable row level security;
alter table public.segment_changes enable row level security;
alter table private.segment_changes_default enable row level security;

insert into private.partition_policies (table_name, step, ahead, keep)
values ('segment_changes', 'day', 3, '30 days');
select private.ensure_partitions();

select private.limit_kind(
  'segments', 'public.segments', p_action => 'create segment', p_noun => 'segments'
);

grant select on public.segments, public.segment_members, public.segment_stats, public.segment_changes
  to signalpost_user, signalpost_key;
create policy "Members can read segments" on public.segments
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read segments" on public.segments
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['segments:read', 'segments:write'])));
create policy "Members can read who is in a segment" on public.segment_members
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read who is in a segment" on public.segment_members
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['segments:read', 'segments:write'])));
create policy "Members can read segment figures" on public.segment_stats
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read segment figures" on public.segment_stats
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['segments:read', 'segments:write'])));
create policy "Members can read segment changes" on public.segment_changes
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read segment changes" on public.segment_changes
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['segments:read', 'segments:write'])));

create table private.segment_lanes (
  workspace_id uuid primary key,
  -- No timer of the workspace is due earlier.
  next_check_at timestamptz not null default 'infinity',
  folded_at timestamptz not null default '-infinity',
  -- After a failure nobody folds before this.
  rest_until timestamptz not null default '-infinity',
  last_error text,
  -- A segment or a journey has depended on the profile or the existence of customers, not on events alone.
  follows_customers boolean not null default false,
  -- Figures for ops.segment_lag.
  audited bigint not null default 0,
  differences bigint not null default 0
);
comment on table private.segment_lanes is
  'One row per workspace that has segments: who holds it locked folds its signals.';
create index segment_lanes_next_check_at_idx on private.segment_lanes (next_check_at);

create table private.event_interests (
  workspace_id uuid not null,
  event text not null,
  primary key (workspace_id, event)
);
comment on table private.event_interests is 'The event names that a segment of the workspace depends on.';

create table private.signals (
  workspace_id uuid not null,
  id bigint generated always as identity,
  kind text not null check (
    kind in ('event', 'profile', 'seen', 'created', 'merge', 'consent', 'segment', 'removed')
  ),
  identity_id bigint,
  customer_id uuid,
  -- An event has its key, its name and its time; a change of a segment has the segment as name.
  event_id uuid,
  received_at timestamptz,
  name text,
  at timestamptz,
  primary key (workspace_id, id)
)
-- All rows are deleted soon: what is left of them is in the way of the next fold.
with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
comment on table private.signals is
  'Changes of customers since the last fold; a fold deletes them in the transaction of their effects.';

create table private.features (
  workspace_id uuid not null,
  id bigint generated always as identity,
  hash bytea not null,
  event text not null,
  conditions jsonb not null,
  since timestamptz,
  until timestamptz,
  -- The path of the number that is added up; null: events are counted.
  property text[],
  -- How many of the newest times are kept per identity.
  keep smallint not null check (keep between 1 and 101),
  -- building: events from the cursor on are in the state, older ones come with the next steps.
  -- dropped: nothing needs it, and its state is deleted in steps.
  state text not null check (state in ('building', 'ready', 'dropped')),
  -- No call of ingest is left that started before the feature was known.
  is_fenced boolean not null default false,
  cursor_at timestamptz not null default 'infinity',
  cursor_id uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  primary key (workspace_id, id),
  constraint features_workspace_id_hash_key unique (workspace_id, hash)
);
comment on table private.features is
  'An event name with conditions on its properties, that segments count or add up; shared by all of a workspace.';
create index features_event_idx on private.features (workspace_id, event);
create index features_dropped_idx on private.features (workspace_id) where state = 'dropped';

create table private.feature_marks (
  workspace_id uuid not null,
  feature_id bigint not null,
  identity_id bigint not null,
  marks timestamptz[] not null,
  primary key (workspace_id, feature_id, identity_id)
) with (fillfactor = 70);
comment on table private.feature_marks is
  'The newest times at which an identity had the event of a feature, newest first.';
create index feature_marks_identity_id_idx on private.feature_marks (workspace_id, identity_id);

create table private.feature_buckets (
  workspace_id uuid not null,
  feature_id bigint not null,
  identity_id bigint not null,
  hour timestamptz not null,
  sum numeric not null,
  min numeric not null,
  max numeric not null,
  primary key (workspace_id, feature_id, identity_id, hour)
) with (fillfactor = 70);
comment on table private.feature_buckets is
  'Sum, least and greatest number of a feature per identity and hour (UTC).';
create index feature_buckets_identity_id_idx on private.feature_buckets (workspace_id, identity_id);

create table private.segment_parts (
  workspace_id uuid not null,
  segment_id uuid not null,
  kind text not null check (kind in ('feature', 'field', 'segment', 'topic')),
  -- The id of the feature, segment or topic, or the name of the field.
  ref text not null,
  primary key (workspace_id, segment_id, kind, ref)
);
comment on table private.segment_parts is 'Links a live segment to all that its condition depends on.';
create index segment_parts_ref_idx on private.segment_parts (workspace_id, kind, ref);

create table private.segment_nodes (
  workspace_id uuid not null,
  segment_id uuid not null,
  node smallint not null,
  -- The node above; null for the whole condition, whose depth is 0.
  parent smallint,
  depth smallint not null,
  kind text not null check (kind in ('all', 'any', 'not', 'count', 'sum', 'min', 'max')),
  feature_id bigint,
  -- The window, an hour longer for sum, min and max: an event leaves it with its hour.
  span interval,
  -- For count: how many events are needed at least, and allowed at most (null: any number).
  least_times smallint,
  most_times smallint,
  -- For sum, min and max: the values that meet the leaf.
  bounds numrange,
  primary key (workspace_id, segment_id, node)
);
comment on table private.segment_nodes is
  'The nodes of conditions that are about events alone: a fold answers all of them in one statement.';

create table private.segment_checks (
  workspace_id uuid not null,
  customer_id uuid not null,
  segment_id uuid not null,
  -- Never later than time alone can change the answer; it may be earlier.
  check_at timestamptz not null,
  primary key (workspace_id, customer_id, segment_id)
) with (fillfactor = 80);
comment on table private.segment_checks is
  'Timers: when a customer is to be compared with a segment again though nothing happens.';
create index segment_checks_check_at_idx on private.segment_checks (workspace_id, check_at);

create table private.segment_jobs (
  workspace_id uuid not null,
  segment_id uuid not null,
  -- The version that is computed.
  version integer not null,
  -- features: the state is built from history; customers: each is compared; cleanup: old members go.
  phase text not null check (phase in ('features', 'customers', 'cleanup')),
  -- The customer at which the next step starts.
  cursor uuid not null default '00000000-0000-0000-0000-000000000000',
  done bigint not null default 0,
  total bigint not null default 0,
  worked_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, segment_id)
);
comment on table private.segment_jobs is
  'First computations of new and edited segments, and removals of members of old versions, in steps.';

create table private.fold_wakes (
  slot smallint primary key,
  notified_at timestamptz not null default '-infinity',
  -- Somebody listens until then.
  heard_until timestamptz not null default '-infinity'
);
comment on table private.fold_wakes is
  'When a folder was last woken. Three slots, so that a transaction that holds one does not block wake-ups.';
insert into private.fold_wakes (slot) values (1), (2), (3);

alter table private.fold_wakes enable row level security;
alter table private.segment_lanes enable row level security;
alter table private.event_interests enable row level security;
alter table private.signals enable row level security;
alter table private.features enable row level security;
alter table private.feature_marks enable row level security;
alter table private.feature_buckets enable row level security;
alter table private.segment_parts enable row level security;
alter table private.segment_nodes enable row level security;
alter table private.segment_checks enable row level security;
alter table private.segment_jobs enable row level security;

create type private.condition_scope as (
  workspace_id uuid,
  -- events: from all rows; marks: from the state that the fold keeps.
  source text,
  -- Segments that a condition names. members: by their stored members. conditions: live ones by their conditions.
  -- timed: by their members, and live ones with the time at which their conditions can change.
  named text
);
comment on type private.condition_scope is 'The way to compile a condition: see private.compile_condition.';

create type private.compiled_condition as (
  -- One lateral join per node, named n1, n2 and so on, with the columns holds, until and fact.
  joins text[],
  -- The node of the whole condition.
  root integer
);
comment on type private.compiled_condition is
  'A condition as SQL over c (a customer), w (its workspace), $1 (the workspace''s id) and $2 (the time).';

create type private.segment_truth as (
  segment_id uuid,
  customer_id uuid,
  cause text,
  holds boolean,
  until timestamptz
);
comment on type private.segment_truth is
  'The answer of a segment''s condition for one customer, and when time alone can change it; before it was evaluated, a customer to evaluate.';

create type private.feature_hit as (feature_id bigint, identity_id bigint);
comment on type private.feature_hit is 'An identity that had an event of a feature.';

create type private.node_truth as (
  segment_id uuid,
  customer_id uuid,
  cause text,
  parent smallint,
  depth smallint,
  holds boolean,
  until timestamptz
);
comment on type private.node_truth is
  'The answer of one node of a segment''s condition for one customer.';

insert into private.service_event_types (type, description)
values
  ('segment.entered', 'A customer entered a live segment'),
  ('segment.left', 'A customer left a live segment');

insert into private.erasure_steps (subject, position, step, function_name)
values ('customer', 12, 'segments', 'private.erase_segment_rows');

insert into private.periodic_tasks (name, every, position, call)
values ('audit segments', '1 hour', 15, 'private.run_segment_audit($2)');
