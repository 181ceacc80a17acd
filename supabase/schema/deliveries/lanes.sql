-- Purpose: what attempts say about a destination: its breaker, failing and recovered, disabled.
-- Locks:   lanes, which private.complete_deliveries locks in the order of their destination's id.

create or replace function private.disable_destination(
  p_workspace_id uuid,
  p_destination_id uuid,
  p_reason text,
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- A member who is changing it has locked its row and waits for our lane: the next failure will
  -- disable it.
  perform from public.destinations as d
  where d.workspace_id = p_workspace_id and d.id = p_destination_id and d.enabled
  for no key update skip locked;
  if found then
    update public.destinations as d
    set enabled = false, disabled_by = 'service', disabled_reason = p_reason, disabled_at = p_now
    where d.workspace_id = p_workspace_id and d.id = p_destination_id;
  end if;
end
$$;
comment on function private.disable_destination(uuid, uuid, text, timestamptz) is
  'Disables a destination for a reason that the service found, unless a member is changing it.';

create or replace function private.update_lane_health(p_tallies private.lane_tally[], p_now timestamptz)
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
    select
      l.*, t.disable_reason, d as destination,
      l.failures = 0 as is_recovered,
      l.failures >= 10
        and l.last_failure_at - l.failing_since >= interval '12 hours'
        and greatest(l.last_success_at, l.enabled_at) <= p_now - interval '5 days' as is_hopeless
    from unnest(p_tallies) as t
    cross join lateral (
      select k.* from private.lanes as k
      where k.workspace_id = t.workspace_id and k.destination_id = t.destination_id
      limit 1
    ) as l
    join public.destinations as d on d.workspace_id = l.workspace_id and d.id = l.destination_id
    where l.is_enabled and (
      t.disable_reason is not null
      or (l.is_failing and l.failures = 0 and t.succeeded_at is not null)
      or (l.failures >= 5 and t.failures > 0)
    )
  loop
    if v_lane.is_recovered and v_lane.is_failing then
      update private.lanes as l set is_failing = false
      where l.workspace_id = v_lane.workspace_id and l.destination_id = v_lane.destination_id;
      perform private.announce_destination(v_lane.destination, 'destination.recovered', null, p_now);
    end if;
    if v_lane.disable_reason is not null then
      perform private.disable_destination(
        v_lane.workspace_id, v_lane.destination_id, v_lane.disable_reason, p_now
      );
    elsif v_lane.is_hopeless then
      perform private.disable_destination(
        v_lane.workspace_id, v_lane.destination_id, 'No success for 5 days', p_now
      );
    elsif v_lane.failures >= 5 and not v_lane.is_failing
      and p_now - v_lane.failing_since >= interval '5 minutes'
    then
      update private.lanes as l set is_failing = true
      where l.workspace_id = v_lane.workspace_id and l.destination_id = v_lane.destination_id;
      perform private.announce_destination(
        v_lane.destination, 'destination.failing', v_lane.last_error, p_now
      );
    end if;
  end loop;
end
$$;
comment on function private.update_lane_health(private.lane_tally[], timestamptz) is
  'Announces once that a destination is failing (5 failures over 5 minutes) or has recovered, and disables one that is gone or hopeless: no success for 5 days, and 10 failures or more over 12 hours.';

create or replace function private.update_lanes(p_tallies private.lane_tally[], p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update private.lanes as l
  set
    in_flight = l.in_flight - t.finished,
    due_at = least(l.due_at, t.due_at),
    manual_due_at = least(l.manual_due_at, t.manual_due_at),
    last_success_at = greatest(l.last_success_at, t.succeeded_at),
    last_failure_at = greatest(l.last_failure_at, t.last_failed_at),
    last_error = coalesce(t.last_error, l.last_error),
    ahead = case when t.response_ms is null then 0 else least(24, floor(250 / greatest(t.response_ms, 1))) end,
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
    from private.lanes as k
    where k.workspace_id = t.workspace_id and k.destination_id = t.destination_id
    for update
  ) as o
  cross join lateral (
    select
      f.failures,
      t.succeeded_at is not null and t.failures = 0 and o.probes is not null as recovers,
      -- While it is open, only earlier requests end, and they change nothing.
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
comment on function private.update_lanes(private.lane_tally[], timestamptz) is
  'Records results on their lanes and updates the circuit breaker: 10 failures in a row open it for 30 s, doubling up to 5 minutes; then one probe, and twice as many after each success.';
