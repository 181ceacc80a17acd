-- Purpose: rules that watch a workspace, the alerts they opened, and when each rule is checked.
-- Locks:   public.sends, while its index is created.
-- Risk:    a rule is checked every 30 s. Without rules, the task reads one empty index.
-- Undo:    drop the tables, the type, the index, and the rows of the registries.

create table public.alert_rules (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  name text not null check (char_length(name) between 1 and 200),
  kind text not null check (kind in (
    'destination_failing', 'destination_disabled', 'backlog', 'missed_messages', 'source_refusing',
    'sender_failing', 'complaint_rate', 'quota', 'segment_lag', 'journey_lag'
  )),
  -- The only destination, source, sender or journey that it watches; null for all.
  target_id uuid,
  -- Minutes, messages, requests or per cent: see schema/alerts/find.sql.
  threshold numeric not null check (threshold between 0 and 1000000),
  -- For source_refusing: the minutes in which requests are counted.
  window_minutes integer not null default 60 check (window_minutes between 1 and 1440),
  -- { "type": "email", "sender_id", "to": [address] } or { "type": "destination", "destination_id" }
  channels jsonb not null default '[]'
    check (jsonb_typeof(channels) = 'array' and jsonb_array_length(channels) <= 10),
  -- The same target causes no second notice within this time.
  repeat_after_minutes integer not null default 60 check (repeat_after_minutes between 0 and 10080),
  -- { "from": "21:00", "to": "08:00" } in the zone of the workspace; null: none.
  quiet_hours jsonb check (jsonb_typeof(quiet_hours) = 'object'),
  notify_resolved boolean not null default true,
  enabled boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id)
);
comment on table public.alert_rules is
  'Rules that open an alert for each target that meets them, and where its notices go.';
alter table public.alert_rules enable row level security;
select private.limit_kind(
  'alert_rules', 'public.alert_rules', p_action => 'create alert rule', p_noun => 'alert rules'
);

create table public.alerts (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  -- The rule may have been deleted since: its name and kind are those of the opening.
  rule_id uuid not null,
  rule_name text not null,
  kind text not null,
  -- Null for the workspace as a whole.
  target_id uuid,
  target_name text,
  -- The newest figure while the alert is open, and the threshold when it opened.
  value numeric not null,
  threshold numeric not null,
  window_minutes integer not null,
  is_test boolean not null default false,
  opened_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by text check (
    resolved_by in ('recovery', 'rule_changed', 'rule_disabled', 'rule_deleted', 'target_deleted', 'test')
  ),
  -- The notice that is to be sent, and not before when; null if none is.
  due_notice text check (due_notice in ('opened', 'resolved')),
  notify_at timestamptz not null,
  -- When the notice of the opening was sent.
  notified_at timestamptz,
  primary key (workspace_id, id),
  constraint alerts_resolved_check check ((resolved_at is null) = (resolved_by is null))
) with (fillfactor = 80);
comment on table public.alerts is
  'One row each time a rule was met by a target. Resolved ones are kept for 90 days.';
-- One open alert per rule and target: an opening causes one notice.
create unique index alerts_open_key on public.alerts (workspace_id, rule_id, target_id)
  include (opened_at) nulls not distinct where resolved_at is null;
create index alerts_open_idx on public.alerts (workspace_id, id) where resolved_at is null;
create index alerts_rule_id_idx on public.alerts (workspace_id, rule_id, id);
create index alerts_notified_at_idx
  on public.alerts (workspace_id, rule_id, target_id, notified_at) where notified_at is not null;
create index alerts_last_notice_idx on public.alerts (workspace_id, rule_id, id)
  where notified_at is not null and not is_test;
create index alerts_due_notice_idx on public.alerts (workspace_id, rule_id) where due_notice is not null;
create index alerts_resolved_at_idx on public.alerts (resolved_at) where resolved_at is not null;
alter table public.alerts enable row level security;

create table private.alert_checks (
  workspace_id uuid not null,
  rule_id uuid not null,
  due_at timestamptz not null default '-infinity',
  primary key (workspace_id, rule_id)
) with (fillfactor = 50);
comment on table private.alert_checks is
  'One row per enabled rule: when it is checked next. Its lock comes before that of its alerts.';
create index alert_checks_due_at_idx on private.alert_checks (due_at);
alter table private.alert_checks enable row level security;

-- Complaints are few: counting those of a day reads nothing else.
create index sends_complained_idx on public.sends (workspace_id, sender_id, feedback_at)
  where feedback = 'complained';

create type private.alert_finding as (
  workspace_id uuid,
  rule_id uuid,
  -- Null for the workspace as a whole.
  target_id uuid,
  target_name text,
  value numeric
);
comment on type private.alert_finding is 'A target that meets a rule now.';

grant select, delete on public.alert_rules to signalpost_user, signalpost_key;
grant insert (
    workspace_id, id, name, kind, target_id, threshold, window_minutes, channels,
    repeat_after_minutes, quiet_hours, notify_resolved, enabled
  ) on public.alert_rules to signalpost_user, signalpost_key;
grant update (
    name, target_id, threshold, window_minutes, channels, repeat_after_minutes, quiet_hours,
    notify_resolved, enabled
  ) on public.alert_rules to signalpost_user, signalpost_key;
grant select on public.alerts to signalpost_user, signalpost_key;

create policy "Members can read alert rules" on public.alert_rules
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read alert rules" on public.alert_rules
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['alerts:read', 'alerts:write'])));
create policy "Admins can create alert rules" on public.alert_rules
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can change alert rules" on public.alert_rules
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')))
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can delete alert rules" on public.alert_rules
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Keys can create alert rules" on public.alert_rules
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['alerts:write'])));
create policy "Keys can change alert rules" on public.alert_rules
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['alerts:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['alerts:write'])));
create policy "Keys can delete alert rules" on public.alert_rules
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['alerts:write'])));

create policy "Members can read alerts" on public.alerts
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read alerts" on public.alerts
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['alerts:read', 'alerts:write'])));

insert into private.service_event_types (type, description)
values
  ('alert.opened', 'A target meets an alert rule'),
  ('alert.resolved', 'A target no longer meets an alert rule');

insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values
  ('check alert rules', '10 seconds', 57, 'private.check_alerts($1, $2)', 100, 10),
  ('delete old alerts', '1 hour', 29, 'private.delete_old_alerts($1, $2)', 10000, 20);

insert into private.move_rules (table_name, is_copied, is_taken_out)
values ('private.alert_checks', true, true);
