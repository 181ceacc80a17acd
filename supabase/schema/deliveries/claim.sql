-- Purpose: a dispatcher claims what is due, for as long as a lease.
-- Locks:   lanes before queue rows, lanes in the order of their destination's id.
-- Risk:    the statistics of a queue are always wrong, so no plan is left to them: rows are looked
--          up by key in lateral subqueries and changed by ctid. A ctid is good for rows that an
--          earlier statement locked; one locked in the same statement may be of a later version,
--          which that statement does not see.

create or replace function private.lock_lanes(p_workspace_ids uuid[], p_destination_ids uuid[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform
  from (
    select distinct k.destination_id, k.workspace_id
    from unnest(p_workspace_ids, p_destination_ids) as k (workspace_id, destination_id)
    order by k.destination_id
  ) as k
  cross join lateral (
    select from private.lanes as l
    where l.workspace_id = k.workspace_id and l.destination_id = k.destination_id
    for update
  ) as l;
end
$$;
comment on function private.lock_lanes(uuid[], uuid[]) is
  'Locks the lanes of these pairs of workspace and destination, always in the same order.';

create or replace function private.fold_arrivals()
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_workspace_ids uuid[];
  v_destination_ids uuid[];
  v_due_ats timestamptz[];
  v_manual_due_ats timestamptz[];
  v_found integer;
begin
  with arrived as (
    delete from private.lane_arrivals as a
    using (
      select t.workspace_id, t.id
      from private.lane_arrivals as t
      order by t.workspace_id, t.id
      limit 1000
      for update skip locked
    ) as t
    where a.workspace_id = t.workspace_id and a.id = t.id
    returning a.workspace_id, a.destination_ids, a.due_at, a.is_manual
  ),
  news as (
    select
      a.workspace_id, d.id as destination_id,
      min(a.due_at) filter (where not a.is_manual) as due_at,
      min(a.due_at) filter (where a.is_manual) as manual_due_at
    from arrived as a
    cross join unnest(a.destination_ids) as d (id)
    group by a.workspace_id, d.id
  )
  select
    array_agg(n.workspace_id), array_agg(n.destination_id), array_agg(n.due_at),
    array_agg(n.manual_due_at)
  into v_workspace_ids, v_destination_ids, v_due_ats, v_manual_due_ats
  from news as n;

  -- Does not depend on the lane: a running claim may be about to mark it as empty.
  perform private.lock_lanes(v_workspace_ids, v_destination_ids);
  update private.lanes as l
  set
    due_at = least(l.due_at, n.due_at),
    manual_due_at = least(l.manual_due_at, n.manual_due_at)
  from unnest(v_workspace_ids, v_destination_ids, v_due_ats, v_manual_due_ats)
    as n (workspace_id, destination_id, due_at, manual_due_at)
  cross join lateral (
    select k.ctid as row_id from private.lanes as k
    where k.workspace_id = n.workspace_id and k.destination_id = n.destination_id
    for update
  ) as o
  where l.ctid = o.row_id;
  get diagnostics v_found = row_count;
  if v_found < cardinality(v_destination_ids) then
    -- Published while destination and lane were deleted: delete_unsendable_rows removes this.
    insert into private.lanes (workspace_id, destination_id, is_enabled, max_concurrency)
    select n.workspace_id, n.destination_id, false, 1
    from unnest(v_workspace_ids, v_destination_ids) as n (workspace_id, destination_id)
    on conflict (workspace_id, destination_id) do nothing;
  end if;
end
$$;
comment on function private.fold_arrivals() is
  'Marks the lanes that got new rows as due.';

create or replace function private.lock_ready_lanes(
  p_worker uuid,
  p_limit integer,
  p_only_proven boolean,
  p_now timestamptz
)
returns private.lane_credit[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_lanes private.lane_credit[];
  -- An owner that has not returned for longer than a request may take is gone.
  v_abandoned_at timestamptz := p_now - interval '20 seconds';
begin
  with ready as materialized (
    select
      l.workspace_id, l.destination_id, l.ready_at,
      -- The first lane of each workspace, then the second: more lanes do not give a larger share.
      row_number() over (partition by l.workspace_id order by l.ready_at) as turn
    from (
      select r.workspace_id, r.destination_id, r.ready_at
      from private.lanes as r
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
      select k.*, k.ctid as row_id from private.lanes as k
      where k.workspace_id = r.workspace_id and k.destination_id = r.destination_id
        and k.ready_at <= p_now
        and (k.in_flight = 0 or k.owner = p_worker or k.refilled_at < v_abandoned_at)
      for update skip locked
    ) as l
  ),
  measured as (
    select
      l.row_id, l.workspace_id, l.destination_id, l.due_at, l.manual_due_at,
      greatest(0, 1000 - l.in_flight) as manual_room,
      case
        when l.is_enabled and l.due_at <= p_now
          and greatest(l.open_until, l.limited_until, '-infinity') <= p_now
        then greatest(0, l.capacity - l.in_flight)
        else 0
      end as room,
      -- Only a tenth of a second's tokens accumulate, so no second exceeds its rate by much.
      case
        when l.rate_limit_per_second is not null
        then least(
          greatest(1, l.rate_limit_per_second / 10.0),
          l.tokens + l.rate_limit_per_second
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
      m.row_id, m.workspace_id, m.destination_id,
      least(m.share, m.room, floor(m.tokens)::integer) as credit,
      least(m.share, m.manual_room) as manual_credit, m.due_at, m.manual_due_at, m.tokens
    from measured as m
  )
  select array_agg(row(c.*)::private.lane_credit) into v_lanes from credits as c;
  return v_lanes;
end
$$;
comment on function private.lock_ready_lanes(uuid, integer, boolean, timestamptz) is
  'Locks lanes that have something due, taking workspaces in turn, and returns how many rows each may hand out. Leaves out lanes that another dispatcher works on.';

create or replace function private.take_rows(
  p_lanes private.lane_credit[],
  p_claim uuid,
  p_lease interval,
  p_now timestamptz
)
returns private.taken_row[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_taken private.taken_row[];
begin
  with due as materialized (
    select q.row_id
    from unnest(p_lanes) as l
    cross join lateral (
      select * from (
        select r.ctid as row_id
        from private.webhook_queue as r
        where r.destination_id = l.destination_id and r.is_manual and r.claim is null
          and r.due_at between l.manual_due_at and p_now
        order by r.due_at, r.message_id
        limit l.manual_credit
        for update skip locked
      ) as manual
      union all
      select * from (
        select r.ctid as row_id
        from private.webhook_queue as r
        where r.destination_id = l.destination_id and not r.is_manual and r.claim is null
          -- The lower bound keeps the scan off index entries of deleted rows.
          and r.due_at between l.due_at and p_now
        order by r.due_at, r.message_id
        limit l.credit
        for update skip locked
      ) as others
    ) as q
  ),
  taken as (
    update private.webhook_queue as q
    set claim = p_claim, claimed_at = p_now, lease_until = p_now + p_lease
    from due as d
    where q.ctid = d.row_id
    -- The fields of the type, in its order.
    returning
      q.workspace_id, q.destination_id, q.message_id, q.message_created_at, q.due_at, q.attempts,
      q.tries, q.trigger, q.is_manual
  )
  select coalesce(array_agg(row(t.*)::private.taken_row), '{}') into v_taken from taken as t;
  return v_taken;
end
$$;
comment on function private.take_rows(private.lane_credit[], uuid, interval, timestamptz) is
  'Claims from each lane the rows that have been due the longest, as many as its credit.';

create or replace function private.charge_lanes(
  p_lanes private.lane_credit[],
  p_taken private.taken_row[],
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
  update private.lanes as l
  set
    owner = p_worker,
    in_flight = l.in_flight + c.manual + c.others,
    tokens = coalesce(c.tokens - c.others, 0),
    refilled_at = p_now,
    limited_until = case
      when c.tokens - c.others < 1
      then p_now + (1 - (c.tokens - c.others)) / l.rate_limit_per_second * interval '1 second'
    end,
    due_at = case
      -- Fewer than allowed: all due rows were taken, and the next one is due later.
      when c.others < c.credit then (
        select min(q.due_at) from private.webhook_queue as q
        where q.destination_id = l.destination_id and not q.is_manual and q.claim is null
          and q.due_at > p_now
      )
      else coalesce(c.last_due_at, l.due_at)
    end,
    manual_due_at = case
      when l.manual_due_at is not null and c.manual < c.manual_credit then (
        select min(q.due_at) from private.webhook_queue as q
        where q.destination_id = l.destination_id and q.is_manual and q.claim is null
          and q.due_at > p_now
      )
      else l.manual_due_at
    end
  from (
    select
      k.row_id, k.credit, k.manual_credit, k.tokens,
      count(t.message_id) filter (where t.is_manual)::integer as manual,
      count(t.message_id) filter (where not t.is_manual)::integer as others,
      max(t.due_at) filter (where not t.is_manual) as last_due_at
    from unnest(p_lanes) as k
    left join unnest(p_taken) as t
      on t.workspace_id = k.workspace_id and t.destination_id = k.destination_id
    group by k.row_id, k.credit, k.manual_credit, k.tokens
  ) as c
  where l.ctid = c.row_id;
end
$$;
comment on function private.charge_lanes(private.lane_credit[], private.taken_row[], uuid, timestamptz) is
  'Records how many rows were taken from each lane, and when the lane is due again.';

create or replace function private.claim_deliveries(
  p_worker uuid,
  p_limit integer,
  p_lease interval default interval '60 seconds',
  p_only_proven boolean default false,
  p_now timestamptz default clock_timestamp()
)
returns table (
  claim uuid,
  workspace_id uuid,
  destination_id uuid,
  message_id uuid,
  message_created_at timestamptz,
  event_type text,
  body text,
  url text,
  secrets jsonb,
  headers jsonb,
  max_concurrency integer,
  attempt_number integer,
  try_number integer,
  trigger text
)
language plpgsql
volatile
-- Definer: the dispatcher's role may execute this and read or write no table.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
-- Planning a small batch again, for its sizes, takes longer than running it.
set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_claim uuid := gen_random_uuid();
  v_lanes private.lane_credit[];
  v_taken private.taken_row[];
begin
  perform private.fold_arrivals();
  v_lanes := private.lock_ready_lanes(p_worker, p_limit, p_only_proven, p_now);
  if v_lanes is null then
    return;
  end if;
  v_taken := private.take_rows(v_lanes, v_claim, p_lease, p_now);
  perform private.charge_lanes(v_lanes, v_taken, p_worker, p_now);
  return query
  select
    v_claim, t.workspace_id, t.destination_id, t.message_id, t.message_created_at, m.event_type,
    m.body, d.url, d.secrets, d.headers, d.max_concurrency, t.attempts + 1, t.tries + 1, t.trigger
  from unnest(v_taken) as t
  left join lateral (
    select n.event_type, n.body
    from public.webhook_messages as n
    where n.workspace_id = t.workspace_id and n.created_at = t.message_created_at
      and n.id = t.message_id
    limit 1
  ) as m on true
  left join (
    select
      o.workspace_id, o.id, o.url, o.max_concurrency,
      (
        select jsonb_agg(s.ciphertext order by s.expires_at desc nulls first, s.created_at desc)
        from private.destination_secrets as s
        where s.workspace_id = o.workspace_id and s.destination_id = o.id
          and coalesce(s.expires_at, 'infinity') > p_now
      ) as secrets,
      -- Looked up only for destinations that have any.
      case when o.header_names <> '{}' then (
        select jsonb_object_agg(h.name, h.ciphertext)
        from private.destination_headers as h
        where h.workspace_id = o.workspace_id and h.destination_id = o.id
      ) end as headers
    from unnest(v_lanes) as l
    join public.destinations as o on o.workspace_id = l.workspace_id and o.id = l.destination_id
  ) as d on d.workspace_id = t.workspace_id and d.id = t.destination_id;
end
$$;
comment on function private.claim_deliveries(uuid, integer, interval, boolean, timestamptz) is
  'Up to about p_limit deliveries to attempt now, with everything needed to send them, leased to p_worker. p_only_proven leaves out destinations whose last attempt failed. A null body or url was erased: there is nothing to send. Secrets are ciphertexts, the current one first; headers are ciphertexts by name, null if there are none.';
grant execute on function private.claim_deliveries(uuid, integer, interval, boolean, timestamptz)
  to signalpost_dispatch;
