-- Purpose: checks rules that are due: opens, updates and resolves alerts, and sends their notices.
-- Locks:   the checks of the rules, then their alerts.
-- Risk:    a notice is queued in the transaction that marks it as sent, so it is queued once.

create or replace function private.take_alert_rules(p_limit integer, p_now timestamptz)
returns public.alert_rules[]
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_rules public.alert_rules[];
begin
  with due as (
    select k.workspace_id, k.rule_id
    from private.alert_checks as k
    where k.due_at <= p_now
    order by k.due_at
    limit p_limit
    for update skip locked
  ),
  taken as (
    update private.alert_checks as k
    set due_at = p_now + interval '30 seconds'
    from due as d
    where k.workspace_id = d.workspace_id and k.rule_id = d.rule_id
    returning k.workspace_id, k.rule_id
  )
  select array_agg(r) into v_rules
  from taken as t
  join public.alert_rules as r on r.workspace_id = t.workspace_id and r.id = t.rule_id;
  return coalesce(v_rules, '{}');
end
$$;
comment on function private.take_alert_rules(integer, timestamptz) is
  'Locks and returns up to p_limit rules that are due. Each is due again 30 seconds later.';

create or replace function private.open_alerts(
  p_rules public.alert_rules[],
  p_findings private.alert_finding[],
  p_now timestamptz
)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into public.alerts as a (
    workspace_id, id, rule_id, rule_name, kind, target_id, target_name, value, threshold,
    window_minutes, opened_at, due_notice, notify_at
  )
  select
    r.workspace_id, private.uuid_v7(p_now, f.ordinality::integer), r.id, r.name, r.kind,
    f.target_id, f.target_name, f.value, r.threshold, r.window_minutes, p_now, 'opened',
    greatest(p_now, n.notified_at + r.repeat_after_minutes * interval '1 minute')
  from unnest(p_findings) with ordinality as f
  join unnest(p_rules) as r on r.workspace_id = f.workspace_id and r.id = f.rule_id
  left join lateral (
    select o.notified_at
    from public.alerts as o
    where o.workspace_id = r.workspace_id and o.rule_id = r.id
      and o.target_id is not distinct from f.target_id
      and o.notified_at is not null and not o.is_test
    order by o.notified_at desc
    limit 1
  ) as n on true
  on conflict (workspace_id, rule_id, target_id) where resolved_at is null do update
  set value = excluded.value
  where a.value <> excluded.value
$$;
comment on function private.open_alerts(public.alert_rules[], private.alert_finding[], timestamptz) is
  'Opens an alert for each finding without one, and updates the figure of the others. A target that had a notice recently gets the next one only after repeat_after_minutes.';

create or replace function private.resolve_alerts(
  p_rules public.alert_rules[],
  p_findings private.alert_finding[],
  p_now timestamptz
)
returns void
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  update public.alerts as a
  set
    resolved_at = p_now, resolved_by = 'recovery', notify_at = p_now,
    due_notice = case when a.notified_at is not null and r.notify_resolved then 'resolved' end
  from unnest(p_rules) as r
  where a.workspace_id = r.workspace_id and a.rule_id = r.id and a.resolved_at is null
    and not exists (
      select from unnest(p_findings) as f
      where f.workspace_id = a.workspace_id and f.rule_id = a.rule_id
        and f.target_id is not distinct from a.target_id
    )
$$;
comment on function private.resolve_alerts(public.alert_rules[], private.alert_finding[], timestamptz) is
  'Resolves the open alerts of the rules that no finding confirms. An alert whose opening was notified gets another notice.';

create or replace function private.send_due_notices(
  p_rules public.alert_rules[],
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_due record;
  v_alert public.alerts;
  v_rule public.alert_rules;
  v_quiet_until timestamptz;
begin
  for v_due in
    select a as alert, r as rule
    from unnest(p_rules) as r
    join public.alerts as a on a.workspace_id = r.workspace_id and a.rule_id = r.id
    where a.due_notice is not null and a.notify_at <= p_now
    order by a.notify_at
    limit 200
  loop
    v_alert := v_due.alert;
    v_rule := v_due.rule;
    v_quiet_until := private.quiet_until(v_rule.quiet_hours, (
      select private.known_zone(w.timezone, 'UTC') from public.workspaces as w
      where w.id = v_rule.workspace_id
    ), p_now);
    if v_quiet_until is not null then
      update public.alerts as a set notify_at = v_quiet_until
      where a.workspace_id = v_alert.workspace_id and a.id = v_alert.id;
      continue;
    end if;
    begin
      perform private.send_notice(v_alert, v_rule.channels, p_now);
      update public.alerts as a
      set
        due_notice = null,
        notified_at = case v_alert.due_notice when 'opened' then p_now else a.notified_at end
      where a.workspace_id = v_alert.workspace_id and a.id = v_alert.id;
    exception when others then
      -- One notice must not hold up the others.
      raise warning 'Cannot send the notice of alert "%": %', v_alert.id, sqlerrm;
      update public.alerts as a set notify_at = p_now + interval '1 minute'
      where a.workspace_id = v_alert.workspace_id and a.id = v_alert.id;
    end;
  end loop;
end
$$;
comment on function private.send_due_notices(public.alert_rules[], timestamptz) is
  'Sends the notices of the rules that are due. During quiet hours, notices wait until the hours end.';

create or replace function private.check_alerts(
  p_limit integer default 100,
  p_now timestamptz default clock_timestamp()
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_rules public.alert_rules[] := private.take_alert_rules(p_limit, p_now);
  v_findings private.alert_finding[];
begin
  if cardinality(v_rules) = 0 then
    return 0;
  end if;
  v_findings := private.find_alerts(v_rules, p_now);
  perform private.open_alerts(v_rules, v_findings, p_now);
  perform private.resolve_alerts(v_rules, v_findings, p_now);
  perform private.send_due_notices(v_rules, p_now);
  return cardinality(v_rules);
end
$$;
comment on function private.check_alerts(integer, timestamptz) is
  'Checks up to p_limit rules that are due and returns the number checked. Runs every 10 seconds.';
