-- Purpose: what attempts say about a sender: its breaker, failing and recovered.
-- Locks:   lanes, which private.complete_sends locks in the order of their sender's id.

create or replace function private.update_send_lanes(p_tallies private.send_tally[], p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update private.send_lanes as l
  set
    in_flight = l.in_flight - t.finished,
    due_at = least(l.due_at, t.due_at),
    last_success_at = greatest(l.last_success_at, t.succeeded_at),
    last_failure_at = greatest(l.last_failure_at, t.last_failed_at),
    last_error = coalesce(t.last_error, l.last_error),
    paused_until = greatest(l.paused_until, t.paused_until),
    ahead = case when t.response_ms is null then 0 else least(24, floor(250 / greatest(t.response_ms, 1))) end,
    rate_from = case when n.is_new_window then p_now else l.rate_from end,
    rate_count = case when n.is_new_window then 0 else l.rate_count end + t.handed,
    rate_reached = case
      when not n.is_new_window then l.rate_reached
      -- A window without anything between two others means zero.
      when l.rate_from > p_now - interval '20 seconds'
      then l.rate_count / greatest(extract(epoch from p_now - l.rate_from), 10)
      else 0
    end,
    failures = n.failures,
    failing_since = case
      when n.failures = 0 then null
      when t.succeeded_at is not null then t.failed_at
      else coalesce(l.failing_since, t.failed_at)
    end,
    probes = case
      when n.trips then 1
      when n.recovers and l.probes * 2 < l.max_concurrency then l.probes * 2
      when n.recovers then null
      else l.probes
    end,
    open_until = case
      when n.trips then p_now + least(interval '5 minutes', interval '30 seconds' * power(2, least(l.trips, 10)))
      when n.recovers then null
      else l.open_until
    end,
    trips = case when n.trips then l.trips + 1 when n.recovers then 0 else l.trips end
  from unnest(p_tallies) as t
  cross join lateral (
    select k.*, k.ctid as row_id
    from private.send_lanes as k
    where k.workspace_id = t.workspace_id and k.sender_id = t.sender_id
    for update
  ) as o
  cross join lateral (
    select
      f.failures,
      o.rate_from <= p_now - interval '10 seconds' as is_new_window,
      t.succeeded_at is not null and t.failures = 0 and o.probes is not null as recovers,
      -- While it is open, only earlier attempts end, and they change nothing.
      t.failures > 0
        and case
            when o.probes is null then f.failures >= 10
            -- After a successful probe the circuit is half open and has no such time.
            else coalesce(o.open_until <= p_now, true)
          end as trips
    from (
      select case when t.succeeded_at is null then o.failures else 0 end + t.failures as failures
    ) as f
  ) as n
  where l.ctid = o.row_id;
end
$$;
comment on function private.update_send_lanes(private.send_tally[], timestamptz) is
  'Records results on their lanes and updates the circuit breaker: 10 failures of the sender in a row open it for 30 s, doubling up to 5 minutes; then one probe, and twice as many after each success.';

create or replace function private.update_sender_health(
  p_tallies private.send_tally[],
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_lane record;
begin
  for v_lane in
    select l.*, o as sender, l.failures = 0 as is_recovered
    from unnest(p_tallies) as t
    cross join lateral (
      select k.* from private.send_lanes as k
      where k.workspace_id = t.workspace_id and k.sender_id = t.sender_id
      limit 1
    ) as l
    join public.senders as o on o.workspace_id = l.workspace_id and o.id = l.sender_id
    where (l.is_failing and l.failures = 0 and t.succeeded_at is not null)
      or (
        not l.is_failing and l.failures >= 5 and t.failures > 0
        and p_now - l.failing_since >= interval '5 minutes'
      )
  loop
    update private.send_lanes as l set is_failing = not v_lane.is_recovered
    where l.workspace_id = v_lane.workspace_id and l.sender_id = v_lane.sender_id;
    perform private.announce_sender(
      v_lane.sender,
      case when v_lane.is_recovered then 'sender.recovered' else 'sender.failing' end,
      case when not v_lane.is_recovered then v_lane.last_error end, p_now
    );
  end loop;
end
$$;
comment on function private.update_sender_health(private.send_tally[], timestamptz) is
  'Announces once that a sender is failing (5 failures over 5 minutes), or has recovered.';

create or replace function private.repair_send_lanes()
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_count integer;
begin
  if private.has_locked_tables() then
    return 0;
  end if;
  with passed_over as (
    select l.workspace_id, l.sender_id, w.due_at
    from private.send_lanes as l
    cross join lateral (
      select min(q.due_at) as due_at from private.send_queue as q
      where q.workspace_id = l.workspace_id and q.sender_id = l.sender_id and q.claim is null
    ) as w
    where coalesce(l.due_at, 'infinity') > w.due_at
    order by l.sender_id, l.workspace_id
    for update of l skip locked
  )
  update private.send_lanes as l
  set due_at = least(l.due_at, p.due_at)
  from passed_over as p
  where l.workspace_id = p.workspace_id and l.sender_id = p.sender_id;
  get diagnostics v_count = row_count;
  delete from private.send_lanes as l
  where l.is_deleted and l.in_flight = 0
    and not exists (
      select from private.send_queue as q
      where q.workspace_id = l.workspace_id and q.sender_id = l.sender_id
    );
  return v_count;
end
$$;
comment on function private.repair_send_lanes() is
  'Marks lanes as due whose rows were skipped, and deletes the lanes of deleted senders once they are empty. Returns the number marked. Runs every hour.';
