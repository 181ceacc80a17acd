-- Purpose: the health of destinations, and what waits for them.

create or replace view ops.backlog with (security_invoker = true) as
select
  l.workspace_id,
  l.destination_id,
  d.name,
  case
    when d.id is null then 'deleted'
    when not l.is_enabled then 'disabled'
    when l.open_until > now() then 'breaker_open'
    when l.in_flight >= l.capacity then 'full'
    when l.limited_until > now() then 'rate_limited'
    when l.due_at <= now() then 'ready'
    else 'waiting'
  end as state,
  w.waiting,
  l.in_flight,
  w.oldest_at,
  l.ready_at
from private.lanes as l
left join public.destinations as d on d.workspace_id = l.workspace_id and d.id = l.destination_id
join lateral (
  select count(*) as waiting, min(q.message_created_at) as oldest_at
  from private.webhook_queue as q
  where q.destination_id = l.destination_id and q.claim is null
) as w on w.waiting > 0 or l.in_flight > 0
union all
-- Messages whose queue rows are not created yet: one row per workspace.
select
  f.workspace_id, null, null, 'queueing', count(*), 0, min(f.message_created_at), null
from private.fan_outs as f
group by f.workspace_id;
comment on view ops.backlog is
  'Deliveries that wait for each destination, since when, and why they are not sent. A row without a destination counts messages of a workspace that are still to be queued.';

create or replace view ops.destination_health with (security_invoker = true) as
select
  d.workspace_id,
  d.id as destination_id,
  d.name,
  d.enabled,
  d.disabled_by,
  d.disabled_reason,
  case
    when d.disabled_by = 'service' then 'failing'
    when not d.enabled then 'disabled'
    when l.last_failure_at > coalesce(l.last_success_at, '-infinity') then 'failing'
    when l.last_success_at is null then 'unused'
    else 'healthy'
  end as state,
  l.is_failing,
  l.failures,
  l.failing_since,
  l.open_until,
  l.last_error,
  l.last_success_at,
  l.last_failure_at,
  coalesce(s.ok, 0) as ok_24h,
  coalesce(s.failed, 0) as failed_24h
from public.destinations as d
join private.lanes as l on l.workspace_id = d.workspace_id and l.destination_id = d.id
left join lateral (
  select sum(h.ok) as ok, sum(h.failed) as failed
  from public.delivery_stats as h
  where h.workspace_id = d.workspace_id and h.destination_id = d.id
    -- Like the statistics of the last 24 hours, from the beginning of the hour that they start in.
    and h.hour > now() - interval '25 hours'
) as s on true;
comment on view ops.destination_health is
  'The health of each destination: state is failing when the newest attempt failed or the service disabled it. Totals cover whole hours.';

create or replace function private.next_probe_at(p_destination_id uuid, p_open_until timestamptz)
returns timestamptz
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select case when p_open_until is not null then greatest(
    p_open_until,
    -- The earliest message that may be a probe.
    (
      select q.due_at from private.webhook_queue as q
      where q.destination_id = p_destination_id and not q.is_manual and q.claim is null
      order by q.due_at
      limit 1
    )
  ) end
$$;
comment on function private.next_probe_at(uuid, timestamptz) is
  'The time of the next probe of a destination whose circuit breaker is open until a time; null if it is closed.';

create or replace function private.destination_health(p_workspace_id uuid, p_destination_ids uuid[])
returns table (
  destination_id uuid,
  state text,
  pending bigint,
  missed bigint,
  missed_since timestamptz,
  next_attempt_at timestamptz,
  next_probe_at timestamptz,
  last_error text,
  ok_24h bigint,
  failed_24h bigint,
  last_success_at timestamptz,
  last_failure_at timestamptz
)
language sql
stable
-- Definer: members and keys may see the health of their destinations, but not lanes and queue.
security definer
set search_path = ''
-- If most of the queue waits for one destination, statistics suggest that each destination has that
-- many.
set enable_seqscan = 'off'
as $$
  select
    h.destination_id, h.state, q.pending, m.missed, m.missed_since, q.next_attempt_at,
    case when h.enabled then private.next_probe_at(h.destination_id, h.open_until) end,
    case when h.last_failure_at > coalesce(h.last_success_at, '-infinity') then h.last_error end,
    h.ok_24h, h.failed_24h, h.last_success_at, h.last_failure_at
  from ops.destination_health as h
  -- Index-only scans: a dead destination has hundreds of thousands of rows.
  cross join lateral (
    select
      (
        select count(*) from private.webhook_queue as r
        where r.destination_id = h.destination_id and r.claim is null
      ) + (
        select count(*) from private.webhook_queue as r
        where r.destination_id = h.destination_id and r.lease_until is not null
      ) as pending,
      least(
        (
          -- Nothing is sent before the circuit breaker lets a probe through.
          select greatest(r.due_at, h.open_until) from private.webhook_queue as r
          where h.enabled
            and r.destination_id = h.destination_id and not r.is_manual and r.claim is null
          order by r.due_at
          limit 1
        ),
        (
          select min(r.due_at) from private.webhook_queue as r
          where r.destination_id = h.destination_id and r.is_manual and r.claim is null
        )
      ) as next_attempt_at
  ) as q
  cross join lateral (
    select count(*) as missed, min(r.message_created_at) as missed_since
    from public.missed_messages as r
    where r.workspace_id = h.workspace_id and r.destination_id = h.destination_id
  ) as m
  where h.workspace_id = p_workspace_id and h.destination_id = any (p_destination_ids)
    and (
      h.workspace_id = private.key_workspace_id(array['destinations:read', 'destinations:write'])
      or h.workspace_id in (select private.member_workspace_ids())
    )
$$;
comment on function private.destination_health(uuid, uuid[]) is
  'The health of destinations as the api shows it, for workspaces of the caller.';
grant execute on function private.destination_health(uuid, uuid[]) to signalpost_user, signalpost_key;

create or replace function private.destination_states(p_workspace_id uuid)
returns table (destination_id uuid, state text)
language sql
stable
-- Definer: members and keys may see the states of what is theirs, but no lane.
security definer
set search_path = ''
as $$
  select h.destination_id, h.state
  from ops.destination_health as h
  where h.workspace_id = p_workspace_id
    and (
      h.workspace_id = private.key_workspace_id(array['destinations:read', 'destinations:write'])
      or h.workspace_id in (select private.member_workspace_ids())
    )
$$;
comment on function private.destination_states(uuid) is
  'The state of every destination of a workspace of the caller.';
grant execute on function private.destination_states(uuid) to signalpost_user, signalpost_key;

create or replace function private.destination_names(p_workspace_id uuid, p_destination_ids uuid[])
returns table (destination_id uuid, name text)
language sql
stable
-- Definer: a key that may read deliveries sees the names of their destinations, and nothing else.
security definer
set search_path = ''
as $$
  select d.id, d.name
  from public.destinations as d
  where d.workspace_id = p_workspace_id and d.id = any (p_destination_ids)
    and (
      d.workspace_id = private.key_workspace_id(array['deliveries:read', 'deliveries:write'])
      or d.workspace_id in (select private.member_workspace_ids())
    )
$$;
comment on function private.destination_names(uuid, uuid[]) is
  'The names of destinations, for a caller who may read the deliveries of their workspace.';
grant execute on function private.destination_names(uuid, uuid[]) to signalpost_user, signalpost_key;
