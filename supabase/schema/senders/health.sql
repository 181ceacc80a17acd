-- Purpose: the health of senders, what waits for them, and what limits their rate.

create or replace view ops.send_backlog with (security_invoker = true) as
select
  l.workspace_id,
  l.sender_id,
  o.name,
  w.waiting,
  l.in_flight,
  w.due_at,
  l.ready_at,
  l.rate_per_second as rate_allowed,
  case
    when l.rate_from <= now() - interval '20 seconds' then 0
    when l.rate_from <= now() - interval '10 seconds'
    then l.rate_count / extract(epoch from now() - l.rate_from)
    else l.rate_reached
  end::real as rate_reached,
  case
    when w.waiting = 0 then null
    when l.is_deleted then 'deleted'
    when p.stopped_at is not null then 'stopped'
    when not l.is_enabled then 'disabled'
    when l.open_until > now() then 'breaker'
    when l.paused_until > now() then 'provider'
    when l.in_flight >= l.capacity then 'concurrency'
    when l.limited_until > now() then 'rate'
    when l.due_at <= now() then 'dispatch'
    else 'schedule'
  end as limited_by
from private.send_lanes as l
left join public.senders as o on o.workspace_id = l.workspace_id and o.id = l.sender_id
left join public.send_settings as p on p.workspace_id = l.workspace_id
cross join lateral (
  select count(*) as waiting, min(q.due_at) as due_at
  from private.send_queue as q
  where q.workspace_id = l.workspace_id and q.sender_id = l.sender_id and q.claim is null
) as w;
comment on view ops.send_backlog is
  'Messages that wait for each sender, when the first of them is due, its allowed and reached rate per second, and what limits it: stopped, disabled, breaker, provider (it asked for a pause), concurrency, rate, dispatch (due, and nobody claims it) or schedule (due later); null if none waits.';

create or replace function private.sender_health(p_workspace_id uuid, p_sender_ids uuid[])
returns table (
  sender_id uuid,
  state text,
  pending bigint,
  next_attempt_at timestamptz,
  ok_24h bigint,
  failed_24h bigint,
  bounce_rate_24h double precision,
  complaint_rate_24h double precision,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error text,
  rate_allowed double precision,
  rate_reached double precision,
  limited_by text
)
language sql
stable
-- Definer: members and keys may see the health of their senders, but not lanes and queue.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
  select
    b.sender_id,
    case
      when not o.enabled then 'disabled'
      when l.last_failure_at > coalesce(l.last_success_at, '-infinity') then 'failing'
      when l.last_success_at is null then 'unused'
      else 'healthy'
    end,
    b.waiting + b.in_flight, case when b.waiting > 0 then greatest(b.due_at, b.ready_at) end,
    coalesce(s.ok, 0), coalesce(s.failed, 0),
    100.0 * least(s.bounced, s.ok + s.refused) / nullif(s.ok + s.refused, 0),
    100.0 * least(s.complained, s.ok) / nullif(s.ok, 0),
    l.last_success_at, l.last_failure_at, l.last_error, b.rate_allowed, b.rate_reached, b.limited_by
  from unnest(p_sender_ids) as i (id)
  join public.senders as o on o.workspace_id = p_workspace_id and o.id = i.id
  join private.send_lanes as l on l.workspace_id = o.workspace_id and l.sender_id = o.id
  join ops.send_backlog as b on b.workspace_id = o.workspace_id and b.sender_id = o.id
  left join lateral (
    select
      sum(h.sent) as ok, sum(h.failed + h.retried + h.unknown) as failed,
      sum(h.bounced) as bounced, sum(h.refused) as refused, sum(h.complained) as complained
    from public.sender_stats as h
    where h.workspace_id = o.workspace_id and h.sender_id = o.id
      and h.hour > now() - interval '24 hours'
  ) as s on true
  where p_workspace_id = private.key_workspace_id(array['senders:read', 'senders:write'])
    or p_workspace_id in (select private.member_workspace_ids())
$$;
comment on function private.sender_health(uuid, uuid[]) is
  'The health of senders as the api shows it, for workspaces of the caller; totals cover whole hours. See ops.send_backlog for limited_by.';
grant execute on function private.sender_health(uuid, uuid[]) to signalpost_user, signalpost_key;
