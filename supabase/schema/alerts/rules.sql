-- Purpose: what a change of an alert rule checks, and what follows from it.
-- Locks:   a new rule: the row of the workspace, then the advisory lock of its rules. A change or
--          deletion of a rule: the rule, its check, its alerts. A deletion of what rules name: what is
--          deleted, the advisory lock, all rules of the workspace by id, their checks by id, alerts.
--          private.check_alerts holds checks and waits for none of these.

create or replace function private.alert_rules_lock(p_workspace_id uuid)
returns bigint
language sql
immutable
security invoker
set search_path = ''
as $$
  select hashtextextended(p_workspace_id::text, 22)
$$;
comment on function private.alert_rules_lock(uuid) is
  'The advisory lock of the alert rules of a workspace: new rules and deletions of what rules name wait for each other.';

create or replace function private.lock_alert_rules(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  perform pg_advisory_xact_lock(private.alert_rules_lock(p_workspace_id));
  perform from public.alert_rules as r
  where r.workspace_id = p_workspace_id
  order by r.id
  for update;
  -- Before the alerts, as for private.check_alerts, which may be about to open one.
  perform from private.alert_checks as k
  where k.workspace_id = p_workspace_id
  order by k.rule_id
  for update;
end
$$;
comment on function private.lock_alert_rules(uuid) is
  'Waits until nobody creates, changes or checks a rule of the workspace, and keeps others from it. Called by deletions of what rules name: they see every rule, and a later rule sees the deletion.';

create or replace function private.check_alert_rule()
returns trigger
language plpgsql
volatile
-- Definer: a key that may write rules may not read destinations and senders.
security definer
set search_path = ''
as $$
declare
  v_is_known boolean;
begin
  new.updated_at := clock_timestamp();
  if tg_op = 'INSERT' then
    -- In this order: private.check_limit and private.delete_workspace lock the workspace too.
    perform from public.workspaces as w where w.id = new.workspace_id for no key update;
    perform pg_advisory_xact_lock(private.alert_rules_lock(new.workspace_id));
  -- The channels that are left were checked when they were added, and may be about to be dropped too.
  elsif new.channels <@ old.channels
    and new.target_id is not distinct from old.target_id
  then
    return new;
  end if;
  v_is_known := case
    when new.target_id is null or tg_op = 'UPDATE' and new.target_id = old.target_id then true
    when new.kind in ('destination_failing', 'destination_disabled', 'backlog', 'missed_messages')
    then exists (select from public.destinations as d where d.workspace_id = new.workspace_id and d.id = new.target_id)
    when new.kind = 'source_refusing'
    then exists (select from public.inbound_sources as s where s.workspace_id = new.workspace_id and s.id = new.target_id)
    when new.kind in ('sender_failing', 'complaint_rate')
    then exists (select from public.senders as s where s.workspace_id = new.workspace_id and s.id = new.target_id)
    when new.kind = 'journey_lag'
    then exists (select from public.journeys as j where j.workspace_id = new.workspace_id and j.id = new.target_id)
    else false
  end;
  if not v_is_known then
    raise sqlstate 'SP400'
      using message = 'must be the id of something that the rule can watch', column = 'target_id';
  end if;
  if exists (
    select from jsonb_array_elements(new.channels) as c
    where not case c ->> 'type'
      when 'email' then exists (
        select from public.senders as s
        where s.workspace_id = new.workspace_id and s.id = (c ->> 'sender_id')::uuid
      )
      when 'destination' then exists (
        select from public.destinations as d
        where d.workspace_id = new.workspace_id and d.id = (c ->> 'destination_id')::uuid
      )
      else false
    end
  ) then
    raise sqlstate 'SP400'
      using message = 'must name senders and destinations of the workspace', column = 'channels';
  end if;
  return new;
end
$$;
comment on function private.check_alert_rule() is
  'Refuses a rule whose target or channels do not exist, and keeps updated_at. Waits for a deletion of one of them that is under way, which holds the lock of the rules and the rows of all.';

create or replace function private.drop_alert_channel()
returns trigger
language plpgsql
volatile
-- Definer: a caller that deletes a destination or a sender may not write rules.
security definer
set search_path = ''
as $$
begin
  perform private.lock_alert_rules(old.workspace_id);
  update public.alert_rules as r
  set channels = array_to_json(array(
    select c.channel
    from jsonb_array_elements(r.channels) with ordinality as c (channel, place)
    where coalesce(c.channel ->> 'destination_id', c.channel ->> 'sender_id') <> old.id::text
    order by c.place
  ))::jsonb
  where r.workspace_id = old.workspace_id and exists (
    select from jsonb_array_elements(r.channels) as c (channel)
    where coalesce(c.channel ->> 'destination_id', c.channel ->> 'sender_id') = old.id::text
  );
  return null;
end
$$;
comment on function private.drop_alert_channel() is
  'Removes a deleted destination or sender from the channels of rules: a notice to it would reach nobody.';

create or replace function private.drop_alert_target()
returns trigger
language plpgsql
volatile
-- Definer: as for private.drop_alert_channel.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_rule public.alert_rules;
begin
  perform private.lock_alert_rules(old.workspace_id);
  update public.alerts as a
  set resolved_at = clock_timestamp(), resolved_by = 'target_deleted', due_notice = null
  where a.workspace_id = old.workspace_id and a.resolved_at is null and a.target_id = old.id;
  for v_rule in
    delete from public.alert_rules as r
    where r.workspace_id = old.workspace_id and r.target_id = old.id
    returning r.*
  loop
    -- A workspace that is erased has no log any more.
    perform private.write_system_audit(
      w.id, 'alert_rule.delete', v_rule.id, jsonb_build_object('name', v_rule.name)
    )
    from public.workspaces as w where w.id = v_rule.workspace_id;
  end loop;
  return null;
end
$$;
comment on function private.drop_alert_target() is
  'Resolves the alerts of a deleted destination, source, sender or journey without a notice, and deletes the rules that watch nothing else.';

create or replace function private.follow_alert_rule()
returns trigger
language plpgsql
volatile
-- Definer: callers may write neither alerts nor checks.
security definer
set search_path = ''
as $$
begin
  if tg_op <> 'DELETE' and new.enabled then
    insert into private.alert_checks (workspace_id, rule_id)
    values (new.workspace_id, new.id)
    on conflict (workspace_id, rule_id) do update set due_at = excluded.due_at;
  else
    delete from private.alert_checks as k
    where k.workspace_id = old.workspace_id and k.rule_id = old.id;
  end if;
  if tg_op <> 'INSERT' then
    update public.alerts as a
    set
      resolved_at = clock_timestamp(), due_notice = null,
      resolved_by = case
        when tg_op = 'DELETE' then 'rule_deleted'
        when new.enabled then 'rule_changed'
        else 'rule_disabled'
      end
    where a.workspace_id = old.workspace_id and a.rule_id = old.id and a.resolved_at is null
      and (
        tg_op = 'DELETE' or not new.enabled
        or new.target_id is not null and a.target_id is distinct from new.target_id
      );
  end if;
  return null;
end
$$;
comment on function private.follow_alert_rule() is
  'Makes a changed rule due at once, and resolves open alerts whose target the rule no longer watches, without a notice.';

create or replace function private.delete_old_alerts(
  p_limit integer default 10000,
  p_now timestamptz default clock_timestamp()
)
returns integer
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  with old as (
    select a.workspace_id, a.id
    from public.alerts as a
    where a.resolved_at < p_now - interval '90 days'
    order by a.resolved_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from public.alerts as a
    using old as o
    where a.workspace_id = o.workspace_id and a.id = o.id
    returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.delete_old_alerts(integer, timestamptz) is
  'Deletes up to p_limit alerts that were resolved more than 90 days ago and returns the number deleted. Runs every hour.';
