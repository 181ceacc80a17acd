-- Purpose: send-dispatch claims messages that are due, with everything that rendering needs.
-- Locks:   lanes before queue rows, lanes in the order of their sender's id.
-- Risk:    as in schema/deliveries/claim.sql, whose notes on plans and ctids apply here.

create or replace function private.lock_send_lanes(p_workspace_ids uuid[], p_sender_ids uuid[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform
  from (
    select distinct k.sender_id, k.workspace_id
    from unnest(p_workspace_ids, p_sender_ids) as k (workspace_id, sender_id)
    order by k.sender_id, k.workspace_id
  ) as k
  cross join lateral (
    select from private.send_lanes as l
    where l.workspace_id = k.workspace_id and l.sender_id = k.sender_id
    for update
  ) as l;
end
$$;
comment on function private.lock_send_lanes(uuid[], uuid[]) is
  'Locks the lanes of these pairs of workspace and sender, always in the same order.';

create or replace function private.fold_send_arrivals()
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_workspace_ids uuid[];
  v_sender_ids uuid[];
  v_due_ats timestamptz[];
begin
  with arrived as (
    delete from private.send_arrivals as a
    using (
      select t.workspace_id, t.id
      from private.send_arrivals as t
      order by t.workspace_id, t.id
      limit 1000
      for update skip locked
    ) as t
    where a.workspace_id = t.workspace_id and a.id = t.id
    returning a.workspace_id, a.sender_ids, a.due_at
  ),
  news as (
    select a.workspace_id, d.id as sender_id, min(a.due_at) as due_at
    from arrived as a
    cross join unnest(a.sender_ids) as d (id)
    group by a.workspace_id, d.id
  )
  select array_agg(n.workspace_id), array_agg(n.sender_id), array_agg(n.due_at)
  into v_workspace_ids, v_sender_ids, v_due_ats
  from news as n;
  if v_sender_ids is null then
    return;
  end if;

  -- A sender that was deleted, or never was: its rows are handed out to be skipped.
  insert into private.send_lanes (workspace_id, sender_id, is_enabled, is_deleted, max_concurrency)
  select n.workspace_id, n.sender_id, true, true, 100
  from unnest(v_workspace_ids, v_sender_ids) as n (workspace_id, sender_id)
  order by n.sender_id, n.workspace_id
  on conflict (workspace_id, sender_id) do nothing;
  perform private.lock_send_lanes(v_workspace_ids, v_sender_ids);
  update private.send_lanes as l
  set due_at = least(l.due_at, n.due_at)
  from unnest(v_workspace_ids, v_sender_ids, v_due_ats) as n (workspace_id, sender_id, due_at)
  cross join lateral (
    select k.ctid as row_id from private.send_lanes as k
    where k.workspace_id = n.workspace_id and k.sender_id = n.sender_id
    for update
  ) as o
  where l.ctid = o.row_id;
end
$$;
comment on function private.fold_send_arrivals() is
  'Marks the lanes that got new messages as due.';

create or replace function private.lock_ready_send_lanes(
  p_worker uuid,
  p_limit integer,
  p_only_proven boolean,
  p_now timestamptz
)
returns private.send_credit[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_lanes private.send_credit[];
  -- An owner that has not returned for longer than a request may take is gone.
  v_abandoned_at timestamptz := p_now - interval '20 seconds';
begin
  with ready as materialized (
    select
      l.workspace_id, l.sender_id, l.ready_at,
      -- The first lane of each workspace, then the second: more lanes do not give a larger share.
      row_number() over (partition by l.workspace_id order by l.ready_at) as turn
    from (
      select r.workspace_id, r.sender_id, r.ready_at
      from private.send_lanes as r
      where r.is_waiting and r.ready_at <= p_now
        and (r.in_flight = 0 or r.owner = p_worker or r.refilled_at < v_abandoned_at)
        and (not p_only_proven or (r.failures = 0 and r.last_success_at is not null))
      order by r.ready_at
      limit 1000
    ) as l
    order by turn, l.ready_at
    limit greatest(1, least(p_limit, 200))
  ),
  locked as materialized (
    select l.*
    from ready as r
    cross join lateral (
      select k.*, k.ctid as row_id from private.send_lanes as k
      where k.workspace_id = r.workspace_id and k.sender_id = r.sender_id
        and k.ready_at <= p_now
        and (k.in_flight = 0 or k.owner = p_worker or k.refilled_at < v_abandoned_at)
      for update skip locked
    ) as l
  ),
  measured as (
    select
      l.row_id, l.workspace_id, l.sender_id, l.due_at,
      greatest(0, l.capacity - l.in_flight) as room,
      -- Only a tenth of a second's tokens accumulate, so no second exceeds its rate by much.
      case
        when l.rate_per_second is not null
        then least(
          greatest(1, l.rate_per_second / 10.0),
          l.tokens + l.rate_per_second
            * greatest(0, extract(epoch from p_now - greatest(l.refilled_at, l.enabled_at)))
        )
      end as tokens,
      greatest(1, p_limit / w.workspaces / count(*) over (partition by l.workspace_id))::integer as share
    from locked as l
    cross join (select count(distinct k.workspace_id) as workspaces from locked as k) as w
  ),
  credits as (
    -- The fields of the type, in its order.
    select
      m.row_id, m.workspace_id, m.sender_id, least(m.share, m.room, floor(m.tokens)::integer) as credit,
      m.due_at, m.tokens
    from measured as m
  )
  select array_agg(row(c.*)::private.send_credit) into v_lanes from credits as c;
  return v_lanes;
end
$$;
comment on function private.lock_ready_send_lanes(uuid, integer, boolean, timestamptz) is
  'Locks lanes that have something due, taking workspaces in turn, and returns how many rows each may hand out. Leaves out lanes that another dispatcher works on.';

create or replace function private.take_sends(
  p_lanes private.send_credit[],
  p_claim uuid,
  p_lease interval,
  p_now timestamptz
)
returns private.taken_send[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_taken private.taken_send[];
begin
  with due as materialized (
    select q.row_id
    from unnest(p_lanes) as l
    cross join lateral (
      -- An append stops at the limit: marketing is read only while there is room left for it.
      select * from (
        select * from (
          select r.ctid as row_id
          from private.send_queue as r
          where r.workspace_id = l.workspace_id and r.sender_id = l.sender_id
            and not r.is_marketing and r.claim is null and r.due_at between l.due_at and p_now
          order by r.due_at, r.send_id
          limit l.credit
          for update skip locked
        ) as transactional
        union all
        select * from (
          select r.ctid as row_id
          from private.send_queue as r
          where r.workspace_id = l.workspace_id and r.sender_id = l.sender_id
            -- The lower bound keeps the scan off index entries of deleted rows.
            and r.is_marketing and r.claim is null and r.due_at between l.due_at and p_now
          order by r.due_at, r.send_id
          limit l.credit
          for update skip locked
        ) as marketing
      ) as both_kinds
      limit l.credit
    ) as q
  ),
  taken as (
    update private.send_queue as q
    set claim = p_claim, lease_until = p_now + p_lease, started_at = null
    from due as d
    where q.ctid = d.row_id
    -- The fields of the type, in its order.
    returning q.workspace_id, q.sender_id, q.send_id, q.due_at, q.attempts, q.is_marketing
  )
  select coalesce(array_agg(row(t.*)::private.taken_send), '{}') into v_taken from taken as t;
  return v_taken;
end
$$;
comment on function private.take_sends(private.send_credit[], uuid, interval, timestamptz) is
  'Claims from each lane the rows that have been due the longest, as many as its credit; marketing comes last.';

create or replace function private.charge_send_lanes(
  p_lanes private.send_credit[],
  p_taken private.taken_send[],
  p_worker uuid,
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update private.send_lanes as l
  set
    owner = p_worker,
    in_flight = l.in_flight + c.taken,
    tokens = coalesce(c.tokens - c.taken, 0),
    refilled_at = p_now,
    limited_until = case
      when c.tokens - c.taken < 1
      then p_now + (1 - (c.tokens - c.taken)) / l.rate_per_second * interval '1 second'
    end,
    due_at = case
      -- Fewer than allowed: all due rows were taken, and the next one is due later.
      when c.taken < c.credit then (
        select min(q.due_at)
        from (values (false), (true)) as k (is_marketing)
        cross join lateral (
          select w.due_at from private.send_queue as w
          where w.workspace_id = l.workspace_id and w.sender_id = l.sender_id
            and w.is_marketing = k.is_marketing and w.claim is null and w.due_at > p_now
          order by w.due_at
          limit 1
        ) as q
      )
      -- Marketing is only taken when no other row was left.
      else coalesce(c.last_due_at, l.due_at)
    end
  from (
    select
      k.row_id, k.credit, k.tokens, count(t.send_id)::integer as taken,
      max(t.due_at) filter (where t.is_marketing) as last_due_at
    from unnest(p_lanes) as k
    left join unnest(p_taken) as t
      on t.workspace_id = k.workspace_id and t.sender_id = k.sender_id
    group by k.row_id, k.credit, k.tokens
  ) as c
  where l.ctid = c.row_id;
end
$$;
comment on function private.charge_send_lanes(private.send_credit[], private.taken_send[], uuid, timestamptz) is
  'Records how many rows were taken from each lane, and when the lane is due again.';
