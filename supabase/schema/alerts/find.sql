-- Purpose: the targets that meet alert rules now. Each function answers for all given rules of its
--          kinds in one statement.
-- Risk:    counts stop at 100,000, so that a dead destination costs no more than a few milliseconds.
--
-- is_failing of a lane changes only when an attempt ends, and a breaker can keep attempts 5 minutes
-- apart. Rules about failures therefore go by the time of the first failure.

create or replace function private.find_destination_alerts(
  p_rules public.alert_rules[],
  p_now timestamptz
)
returns setof private.alert_finding
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  with watched as materialized (
    select r.workspace_id, r.id as rule_id, r.kind, r.threshold, d.id, d.name, d.enabled, d.disabled_by
    from unnest(p_rules) as r
    join public.destinations as d
      on d.workspace_id = r.workspace_id and (r.target_id is null or d.id = r.target_id)
    where r.kind in ('destination_failing', 'destination_disabled', 'backlog', 'missed_messages')
  )
  select w.workspace_id, w.rule_id, w.id, w.name, f.value
  from watched as w
  cross join lateral (
    select floor(extract(epoch from p_now - l.failing_since) / 60) as value
    from private.lanes as l
    where w.kind = 'destination_failing' and w.enabled
      and l.workspace_id = w.workspace_id and l.destination_id = w.id and l.failures >= 2
      and l.failing_since <= p_now - w.threshold * interval '1 minute'
    union all
    select 1
    where w.kind = 'destination_disabled' and w.disabled_by in ('service', 'operator')
    union all
    select count(*)
    from (
      select from private.webhook_queue as q
      where w.kind = 'backlog' and q.destination_id = w.id and q.claim is null
      limit 100000
    ) as q
    having count(*) >= greatest(w.threshold, 1)
    union all
    select count(*)
    from (
      select from public.missed_messages as m
      where w.kind = 'missed_messages'
        and m.workspace_id = w.workspace_id and m.destination_id = w.id
      limit 100000
    ) as m
    having count(*) >= greatest(w.threshold, 1)
  ) as f
$$;
comment on function private.find_destination_alerts(public.alert_rules[], timestamptz) is
  'Destinations whose first of two failures or more in a row is threshold minutes old, that the service or an operator disabled, that threshold messages wait for, or that missed threshold messages.';

create or replace function private.find_source_alerts(
  p_rules public.alert_rules[],
  p_now timestamptz
)
returns setof private.alert_finding
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select r.workspace_id, r.id, s.id, s.name, n.count
  from unnest(p_rules) as r
  join public.inbound_sources as s
    on s.workspace_id = r.workspace_id and (r.target_id is null or s.id = r.target_id)
  cross join lateral (
    select count(*) as count
    from (values ('refused'), ('rejected')) as o (outcome)
    cross join lateral (
      select from public.inbound_receipts as i
      where i.workspace_id = s.workspace_id and i.source_id = s.id and i.outcome = o.outcome
        and i.received_at > p_now - r.window_minutes * interval '1 minute'
      limit 50000
    ) as i
  ) as n
  where r.kind = 'source_refusing' and n.count >= greatest(r.threshold, 1)
$$;
comment on function private.find_source_alerts(public.alert_rules[], timestamptz) is
  'Sources that refused or rejected threshold requests within the window of the rule.';

create or replace function private.find_sender_alerts(
  p_rules public.alert_rules[],
  p_now timestamptz
)
returns setof private.alert_finding
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  with watched as materialized (
    select r.workspace_id, r.id as rule_id, r.kind, r.threshold, o.id, o.name, o.enabled
    from unnest(p_rules) as r
    join public.senders as o
      on o.workspace_id = r.workspace_id and (r.target_id is null or o.id = r.target_id)
    where r.kind in ('sender_failing', 'complaint_rate')
  )
  select w.workspace_id, w.rule_id, w.id, w.name, f.value
  from watched as w
  cross join lateral (
    select floor(extract(epoch from p_now - l.failing_since) / 60) as value
    from private.send_lanes as l
    where w.kind = 'sender_failing' and w.enabled
      and l.workspace_id = w.workspace_id and l.sender_id = w.id and l.failures >= 2
      and l.failing_since <= p_now - w.threshold * interval '1 minute'
    union all
    select round(100.0 * c.complained / t.sent, 2)
    from (
      select sum(h.sent) as sent
      from public.sender_stats as h
      where w.kind = 'complaint_rate' and h.workspace_id = w.workspace_id and h.sender_id = w.id
        and h.hour > p_now - interval '25 hours'
    ) as t
    cross join lateral (
      select count(*) as complained
      from public.sends as s
      where w.kind = 'complaint_rate' and s.feedback = 'complained'
        and s.workspace_id = w.workspace_id and s.sender_id = w.id
        and s.feedback_at > p_now - interval '24 hours'
    ) as c
    -- One complaint about a handful of messages says nothing about a rate.
    where t.sent >= 100 and c.complained > 0 and 100.0 * c.complained / t.sent >= w.threshold
  ) as f
$$;
comment on function private.find_sender_alerts(public.alert_rules[], timestamptz) is
  'Senders whose first of two failures or more in a row is threshold minutes old, or whose complaints in 24 hours reach threshold per cent of at least 100 messages.';

create or replace function private.find_workspace_alerts(
  p_rules public.alert_rules[],
  p_now timestamptz
)
returns setof private.alert_finding
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select r.workspace_id, r.id, null::uuid, null::text, f.value
  from unnest(p_rules) as r
  join public.workspaces as w on w.id = r.workspace_id
  join public.plans as p on p.id = w.plan_id
  cross join lateral (
    select round(greatest(
      (
        select 100.0 * sum(s.bytes) / p.ingest_bytes_per_day
        from public.usage_stats as s
        where s.workspace_id = w.id and s.hour > p_now - interval '25 hours'
      ),
      (
        select (100 * (1 - (
          b.tokens + p.ingest_per_second
            * greatest(0, extract(epoch from p_now - b.refilled_at))
        ) / p.ingest_burst))::numeric
        from private.rate_limit_buckets as b
        where b.workspace_id = w.id and b.bucket = 'ingest'
      )
    )) as value
    where r.kind = 'quota'
    union all
    select floor(extract(epoch from p_now - min(g.received_at)) / 60)
    from (
      -- The oldest come first; a row without a time has a neighbour with a time.
      select s.received_at
      from private.signals as s
      where r.kind = 'segment_lag' and s.workspace_id = w.id
      order by s.id
      limit 1000
    ) as g
  ) as f
  where f.value >= greatest(r.threshold, 1)
$$;
comment on function private.find_workspace_alerts(public.alert_rules[], timestamptz) is
  'Workspaces that use threshold per cent of their quota (bytes of a day, or entries per second), or whose segments are threshold minutes behind.';

create or replace function private.find_journey_alerts(
  p_rules public.alert_rules[],
  p_now timestamptz
)
returns setof private.alert_finding
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select r.workspace_id, r.id, j.id, j.name, floor(extract(epoch from p_now - o.due_at) / 60)
  from unnest(p_rules) as r
  join public.journeys as j
    on j.workspace_id = r.workspace_id and (r.target_id is null or j.id = r.target_id)
  join private.journey_lanes as l
    on l.workspace_id = j.workspace_id and l.journey_id = j.id and l.is_open
  cross join lateral (
    select least(l.due_at, (
      select min(a.due_at)
      from (
        select t.journey_id, t.due_at from private.run_arrivals as t
        where t.workspace_id = j.workspace_id
        order by t.id
        limit 1000
      ) as a
      where a.journey_id = j.id
    )) as due_at
  ) as o
  where r.kind = 'journey_lag' and o.due_at <= p_now - greatest(r.threshold, 1) * interval '1 minute'
    and o.due_at > '-infinity'
$$;
comment on function private.find_journey_alerts(public.alert_rules[], timestamptz) is
  'Journeys with a run that has been due for threshold minutes.';

create or replace function private.find_alerts(p_rules public.alert_rules[], p_now timestamptz)
returns private.alert_finding[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return array(
    select f from private.find_destination_alerts(p_rules, p_now) as f
    union all
    select f from private.find_source_alerts(p_rules, p_now) as f
    union all
    select f from private.find_sender_alerts(p_rules, p_now) as f
    union all
    select f from private.find_workspace_alerts(p_rules, p_now) as f
    union all
    select f from private.find_journey_alerts(p_rules, p_now) as f
  );
end
$$;
comment on function private.find_alerts(public.alert_rules[], timestamptz) is
  'Every target that meets one of the rules now.';
