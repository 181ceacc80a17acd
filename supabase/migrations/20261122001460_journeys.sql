-- Purpose: journeys, their versions, runs and statistics; the work of the function automation.
-- Risk:    no foreign keys on the hot path. Runs wait in private.journey_lanes: see ops.journey_backlog.
-- Undo:    drop the tables, the type, the role, and the rows of the registries.

do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'signalpost_automation') then
    create role signalpost_automation nologin noinherit;
  end if;
  execute format('grant signalpost_automation to %I', current_user);
end
$$;
grant usage on schema private to signalpost_automation;

create table public.journeys (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  key text check (char_length(key) between 1 and 200),
  name text not null check (char_length(name) between 1 and 200),
  description text check (char_length(description) <= 1000),
  -- The draft; what runs is in public.journey_versions.
  definition jsonb not null,
  state text not null default 'draft' check (state in ('draft', 'running', 'paused', 'draining', 'stopped')),
  -- The newest version; null before the first.
  version integer,
  published_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint journeys_workspace_id_key_key unique (workspace_id, key),
  constraint journeys_version_check check ((state = 'draft') = (version is null))
);
comment on table public.journeys is
  'Graphs of steps that customers pass through, each with its draft and the number of its newest version.';

create table public.journey_versions (
  workspace_id uuid not null,
  journey_id uuid not null,
  version integer not null,
  definition jsonb not null,
  -- Derived from the definition: see private.plan_journey.
  plan jsonb not null,
  published_at timestamptz not null,
  published_by uuid,
  primary key (workspace_id, journey_id, version),
  constraint journey_versions_journey_fkey foreign key (workspace_id, journey_id)
    references public.journeys (workspace_id, id) on delete cascade
);
comment on table public.journey_versions is
  'Published definitions, with ids instead of keys; they never change.';

create table public.journey_runs (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  journey_id uuid not null,
  version integer not null,
  customer_id uuid not null,
  key text not null default '',
  state text not null default 'active' check (state in ('active', 'ended')),
  reason text check (reason in (
    'completed', 'goal', 'exit_condition', 'holdout', 'stopped', 'merged', 'deleted', 'failed', 'removed'
  )),
  -- The step at which the run stands.
  step text,
  -- Steps taken so far: with the run, the key of everything that the next one does.
  visit integer not null default 0,
  -- The position: when the run came to the step, by the time of what led it there. An event that
  -- did so is named, so that events of the same millisecond are before or after it.
  stepped_at timestamptz not null,
  stepped_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- When time alone moves the run on; null if nothing but an event does.
  wake_at timestamptz,
  -- When a worker looks at the run next: not later than wake_at.
  due_at timestamptz not null default 'infinity',
  -- Counts the news since the run began: news during a claim makes the run due again.
  wakes integer not null default 0,
  claim uuid,
  lease_until timestamptz,
  -- The steps up to the next wait are passed by: they fell due during a pause.
  is_passed_by boolean not null default false,
  -- The customer may be in the journey several times at once.
  is_parallel boolean not null default false,
  is_holdout boolean not null default false,
  -- Data that conditions and templates read as trigger, and the cause of the run.
  trigger jsonb not null default '{}',
  cause jsonb not null default '{}',
  -- Length of the chain of automatic causes that led here.
  depth smallint not null default 0,
  entered_at timestamptz not null,
  entered_id uuid not null default '00000000-0000-0000-0000-000000000000',
  goal_at timestamptz,
  exited_at timestamptz,
  primary key (workspace_id, id),
  constraint journey_runs_end_check check (
    (state = 'ended') = (reason is not null) and (state = 'ended') = (exited_at is not null)
  )
) with (fillfactor = 70);
comment on table public.journey_runs is
  'Passages of customers through versions of journeys; one of a customer, journey and key at a time, except parallel ones.';
create unique index journey_runs_active_key on public.journey_runs (workspace_id, journey_id, customer_id, key)
  where state = 'active' and not is_parallel;
create index journey_runs_due_idx on public.journey_runs (workspace_id, journey_id, due_at)
  where state = 'active' and claim is null;
create index journey_runs_lease_idx on public.journey_runs (lease_until) where claim is not null;
create index journey_runs_inside_idx on public.journey_runs (workspace_id, customer_id) where state = 'active';
create index journey_runs_step_idx on public.journey_runs (workspace_id, journey_id, version, step, id)
  where state = 'active';
-- The workspace comes second, for the reason given at the indexes of public.sends.
create index journey_runs_journey_idx on public.journey_runs (journey_id, workspace_id, id);
create index journey_runs_state_idx on public.journey_runs (journey_id, workspace_id, state, id);
create index journey_runs_customer_idx on public.journey_runs (customer_id, workspace_id, id);
create index journey_runs_exited_at_idx on public.journey_runs (exited_at) where exited_at is not null;

create table public.run_steps (
  workspace_id uuid not null,
  run_id uuid not null,
  visit integer not null,
  -- The position of the run when it took the step, and the time of the work.
  at timestamptz not null,
  done_at timestamptz not null,
  journey_id uuid not null,
  version integer not null,
  step text not null,
  kind text not null,
  outcome jsonb not null,
  primary key (workspace_id, done_at, run_id, visit)
) partition by range (done_at);
comment on table public.run_steps is 'The steps that runs took: when, and with what outcome.';
create index run_steps_run_id_idx on public.run_steps (workspace_id, run_id, visit);
create table private.run_steps_default partition of public.run_steps default;

create table public.journey_stats (
  workspace_id uuid not null,
  journey_id uuid not null,
  version integer not null,
  -- '' is the journey as a whole.
  step text not null,
  kind text not null,
  count bigint not null,
  primary key (workspace_id, journey_id, version, step, kind)
);
comment on table public.journey_stats is
  'Counts per version and step: who came, who left by each way, what was skipped; per journey who entered, exited and reached the goal.';

alter table public.journeys enable row level security;
alter table public.journey_versions enable row level security;
alter table public.journey_runs enable row level security;
alter table public.run_steps enable row level security;
alter table private.run_steps_default enable row level security;
alter table public.journey_stats enable row level security;

insert into private.partition_policies (table_name, step, ahead, keep)
values ('run_steps', 'month', 2, '400 days');
select private.ensure_partitions();

select private.limit_kind(
  'journeys', 'public.journeys', p_action => 'create journey', p_noun => 'journeys'
);

grant select on public.journeys, public.journey_versions, public.journey_runs, public.run_steps,
  public.journey_stats to signalpost_user, signalpost_key;
create policy "Members can read journeys" on public.journeys
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read journeys" on public.journeys
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['journeys:read', 'journeys:write'])));
create policy "Members can read versions of journeys" on public.journey_versions
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read versions of journeys" on public.journey_versions
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['journeys:read', 'journeys:write'])));
create policy "Members can read runs" on public.journey_runs
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read runs" on public.journey_runs
  for select to signalpost_key
  using (workspace_id = (
    select private.key_workspace_id(array['journeys:read', 'journeys:write', 'customers:read'])
  ));
create policy "Members can read steps of runs" on public.run_steps
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read steps of runs" on public.run_steps
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['journeys:read', 'journeys:write'])));
create policy "Members can read journey figures" on public.journey_stats
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read journey figures" on public.journey_stats
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['journeys:read', 'journeys:write'])));

create table private.journey_entries (
  workspace_id uuid not null,
  journey_id uuid not null,
  customer_id uuid not null,
  key text not null,
  times integer not null,
  last_at timestamptz not null,
  primary key (workspace_id, journey_id, customer_id, key)
);
comment on table private.journey_entries is
  'Number and last time of the entries of a customer with a key: decides on the next entry.';
create index journey_entries_customer_id_idx on private.journey_entries (workspace_id, customer_id);

create table private.journey_interests (
  workspace_id uuid not null,
  journey_id uuid not null,
  version integer not null,
  -- trigger: begins runs. run: makes a worker look at the runs of the customer again.
  role text not null check (role in ('trigger', 'run')),
  kind text not null check (kind in ('event', 'profile', 'segment', 'consent', 'date')),
  -- The name of the event or the id of the segment; else ''.
  ref text not null default '',
  -- The only step at which a run is interested; '' for all.
  step text not null default '',
  primary key (workspace_id, journey_id, version, role, kind, ref, step)
);
comment on table private.journey_interests is
  'Changes that versions of journeys depend on: the fold ignores all others.';
create index journey_interests_ref_idx on private.journey_interests (workspace_id, role, kind, ref);

create table private.journey_lanes (
  workspace_id uuid not null,
  journey_id uuid not null,
  -- Nothing of a paused journey is claimed.
  is_open boolean not null default true,
  -- No run is due earlier, except those of private.run_arrivals.
  due_at timestamptz not null default 'infinity',
  claimed_at timestamptz not null default '-infinity',
  primary key (workspace_id, journey_id)
);
comment on table private.journey_lanes is 'One row per published journey: when the next of its runs is due.';
create index journey_lanes_due_at_idx on private.journey_lanes (due_at) where is_open;

create table private.run_arrivals (
  workspace_id uuid not null,
  id bigint generated always as identity,
  journey_id uuid not null,
  due_at timestamptz not null,
  primary key (workspace_id, id)
);
comment on table private.run_arrivals is
  'Runs that became due earlier than their lane knows; a claim folds them into the lanes.';

create table private.journey_jobs (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  journey_id uuid not null,
  -- include: members of the segment enter. dates: customers get timers. stop: runs end. move: runs
  -- go to the newest version. pass_by: overdue runs continue without the steps up to the next wait.
  -- look: a worker computes the ends of local waits again, and what may end runs.
  kind text not null check (kind in ('include', 'dates', 'stop', 'move', 'pass_by', 'look')),
  version integer not null,
  -- The customer or run at which the next step starts.
  cursor uuid not null default '00000000-0000-0000-0000-000000000000',
  due_at timestamptz not null default '-infinity',
  -- Failures since the last progress, and the reason of the last one.
  failures integer not null default 0,
  error text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id)
);
comment on table private.journey_jobs is 'Work on many customers or runs of a journey, in steps.';
create index journey_jobs_due_at_idx on private.journey_jobs (due_at);

create table private.journey_dates (
  workspace_id uuid not null,
  journey_id uuid not null,
  customer_id uuid not null,
  -- When a worker computes the date of the customer, or has the customer enter.
  due_at timestamptz not null,
  -- The date for which the customer entered last.
  entered_for timestamptz,
  -- As in public.journey_runs: of what changed the customer last.
  depth smallint not null default 0,
  primary key (workspace_id, journey_id, customer_id)
);
comment on table private.journey_dates is 'Timers of journeys that a date of the profile triggers.';
create index journey_dates_due_at_idx on private.journey_dates (due_at) where due_at < 'infinity';
create index journey_dates_customer_id_idx on private.journey_dates (workspace_id, customer_id);

create table private.journey_stat_deltas (
  workspace_id uuid not null,
  id bigint generated always as identity,
  journey_id uuid not null,
  version integer not null,
  step text not null,
  kind text not null,
  count bigint not null,
  primary key (workspace_id, id)
);
comment on table private.journey_stat_deltas is 'Additions to public.journey_stats since it was last updated.';

create table public.rehearsals (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  journey_id uuid not null,
  -- Null: the draft.
  version integer,
  definition jsonb not null,
  since timestamptz not null,
  until timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'running', 'done', 'failed')),
  error text,
  -- Customers of the recorded history who may have entered; null until they are known.
  customer_ids uuid[],
  -- The first so many of them have been rehearsed.
  done integer not null default 0,
  total integer not null default 0,
  -- Counts as in public.journey_stats, a list of {step, kind, count}.
  counts jsonb not null default '[]',
  examples jsonb not null default '[]',
  claim uuid,
  lease_until timestamptz,
  -- Claims since the last progress.
  tries integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  primary key (workspace_id, id),
  constraint rehearsals_journey_fkey foreign key (workspace_id, journey_id)
    references public.journeys (workspace_id, id) on delete cascade
);
comment on table public.rehearsals is
  'Journeys that are run over recorded history, customer by customer, with what they would have done.';
create index rehearsals_journey_idx on public.rehearsals (workspace_id, journey_id, id);
create index rehearsals_unfinished_idx on public.rehearsals (created_at) where finished_at is null;
create index rehearsals_workspace_idx on public.rehearsals (workspace_id) where finished_at is null;
create index rehearsals_finished_at_idx on public.rehearsals (finished_at) where finished_at is not null;
alter table public.rehearsals enable row level security;
select private.limit_kind(
  'rehearsals', 'public.rehearsals', p_action => 'rehearse journey', p_noun => 'unfinished rehearsals',
  p_condition => 'finished_at is null'
);
grant select on public.rehearsals to signalpost_user, signalpost_key;
create policy "Members can read rehearsals" on public.rehearsals
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read rehearsals" on public.rehearsals
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['journeys:read', 'journeys:write'])));

insert into private.work_wakes (worker, slot) select 'automation', generate_series(0, 3);

alter table private.journey_entries enable row level security;
alter table private.journey_interests enable row level security;
alter table private.journey_lanes enable row level security;
alter table private.run_arrivals enable row level security;
alter table private.journey_jobs enable row level security;
alter table private.journey_dates enable row level security;
alter table private.journey_stat_deltas enable row level security;

alter table private.signals add column depth smallint not null default 0;

create type private.journey_entry as (
  journey_id uuid,
  version integer,
  customer_id uuid,
  -- The position: an event has its time of receipt and its id.
  at timestamptz,
  event_id uuid,
  trigger jsonb,
  cause jsonb,
  depth smallint
);
comment on type private.journey_entry is 'A customer who may enter a version of a journey.';

insert into private.service_event_types (type, description)
values
  ('journey.entered', 'A customer entered a journey'),
  ('journey.exited', 'A run of a journey ended'),
  ('journey.webhook', 'A step of a journey, for the destination that the step names alone');

insert into private.erasure_steps (subject, position, step, function_name)
values ('customer', 16, 'journeys', 'private.erase_journey_rows');

insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values
  ('fold journey stats', '10 seconds', 55, 'private.fold_journey_stats($1)', 10000, 10),
  ('delete old runs', '1 hour', 27, 'private.delete_old_runs($1, $2)', 10000, 10),
  ('delete old rehearsals', '1 hour', 75, 'private.delete_old_rehearsals($1, $2)', 1000, 10),
  ('delete unused journey interests', '1 hour', 28, 'private.delete_unused_interests($1)', 1000, 1);

insert into private.move_rules (table_name, is_copied, is_taken_out, skips)
values
  ('private.journey_lanes', true, true, '{}'),
  ('private.run_arrivals', true, true, '{}'),
  ('private.journey_jobs', true, true, '{}'),
  ('private.journey_dates', true, true, '{}'),
  ('private.journey_stat_deltas', true, true, '{}'),
  ('public.rehearsals', true, true, '{}'),
  ('public.journey_runs', false, false, '{UPDATE}'),
  ('public.journey_stats', false, false, '{INSERT,UPDATE}');
