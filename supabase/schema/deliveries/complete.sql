-- Purpose: the results of attempts: the log, the queue and the totals.
-- Locks:   lanes before queue rows, lanes in the order of their destination's id.

create or replace function private.finish_rows(p_results private.attempt_result[], p_now timestamptz)
returns private.finished_row[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_finished private.finished_row[];
begin
  -- A replay may be changing a row right now: see the note on ctid in schema/deliveries/claim.sql.
  perform
  from unnest(p_results) as r
  cross join lateral (
    select from private.webhook_queue as w
    where w.workspace_id = r.workspace_id and w.destination_id = r.destination_id
      and w.message_id = r.message_id and w.claim = r.claim
    for update
  ) as q;

  with held as materialized (
    select r.action, r.attempt_number, r.next_attempt_at, q.row_id, q.is_replayed
    from unnest(p_results) as r
    cross join lateral (
      select w.ctid as row_id, w.is_replayed
      from private.webhook_queue as w
      where w.workspace_id = r.workspace_id and w.destination_id = r.destination_id
        and w.message_id = r.message_id and w.claim = r.claim
      for update
    ) as q
  ),
  removed as (
    delete from private.webhook_queue as q
    using held as h
    where q.ctid = h.row_id
      and h.action in ('delivered', 'exhausted', 'drop') and not h.is_replayed
    returning q.workspace_id, q.destination_id
  ),
  kept as (
    update private.webhook_queue as q
    set
      claim = null, claimed_at = null, lease_until = null,
      due_at = case when q.is_replayed then p_now else coalesce(h.next_attempt_at, p_now) end,
      attempts = case when h.action = 'release' then q.attempts else h.attempt_number end,
      tries = case when q.is_replayed then 0 when h.action = 'release' then q.tries else q.tries + 1 end,
      trigger = case when q.is_replayed then 'replay' when h.action = 'release' then q.trigger else 'retry' end,
      is_manual = q.is_manual and (q.is_replayed or h.action = 'release'),
      is_replayed = false
    from held as h
    where q.ctid = h.row_id
      and (h.action in ('retry', 'disable', 'release') or h.is_replayed)
    returning q.workspace_id, q.destination_id, q.due_at, q.is_manual
  )
  select coalesce(array_agg(f::private.finished_row), '{}') into v_finished
  from (
    select r.workspace_id, r.destination_id, null::timestamptz, false from removed as r
    union all
    select k.workspace_id, k.destination_id, k.due_at, k.is_manual from kept as k
  ) as f;
  return v_finished;
end
$$;
comment on function private.finish_rows(private.attempt_result[], timestamptz) is
  'Removes or reschedules the rows that are still under the claim they were sent under. Changes no other rows.';

create or replace function private.log_results(p_results private.attempt_result[])
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return private.log_attempts(array(
    select row(
      r.workspace_id, r.id, r.destination_id, r.message_id, r.message_created_at, r.event_type,
      r.attempt_number, r.trigger, r.ok, r.status_code, r.response_snippet, r.response_headers,
      r.error, r.duration_ms, r.attempted_at, r.next_attempt_at
    )::public.deliveries
    from unnest(p_results) as r
    where r.action not in ('release', 'drop')
  ));
end
$$;
comment on function private.log_results(private.attempt_result[]) is
  'Logs the results that were attempts. Returns the ids of those that were not logged before.';

create or replace function private.tally_results(
  p_results private.attempt_result[],
  p_finished private.finished_row[],
  p_logged_ids uuid[]
)
returns private.lane_tally[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_tallies private.lane_tally[];
begin
  with attempts as (
    select
      r.*,
      max(r.position) filter (where r.ok) over (partition by r.workspace_id, r.destination_id) as last_ok
    from unnest(p_results) as r
    -- A ping does not show how the destination handles events.
    where r.id = any (p_logged_ids) and r.trigger <> 'test'
  ),
  health as (
    select
      a.workspace_id, a.destination_id,
      max(a.attempted_at) filter (where a.ok) as succeeded_at,
      count(*) filter (where a.position > coalesce(a.last_ok, 0))::integer as failures,
      min(a.attempted_at) filter (where a.position > coalesce(a.last_ok, 0)) as failed_at,
      max(a.attempted_at) filter (where not a.ok) as last_failed_at,
      (array_agg(coalesce(a.error, 'status_' || a.status_code) order by a.position desc)
        filter (where not a.ok))[1] as last_error,
      case when bool_and(a.ok) then avg(a.duration_ms) end as response_ms,
      max(a.reason) filter (where a.action = 'disable') as disable_reason
    from attempts as a
    group by a.workspace_id, a.destination_id
  ),
  finished as (
    select
      f.workspace_id, f.destination_id, count(*)::integer as rows,
      min(f.due_at) filter (where not f.is_manual) as due_at,
      min(f.due_at) filter (where f.is_manual) as manual_due_at
    from unnest(p_finished) as f
    group by f.workspace_id, f.destination_id
  ),
  tallies as (
    -- The fields of the type, in its order.
    select
      k.workspace_id,
      k.destination_id,
      coalesce(f.rows, 0) as finished,
      f.due_at,
      f.manual_due_at,
      h.succeeded_at,
      coalesce(h.failures, 0) as failures,
      h.failed_at,
      h.last_failed_at,
      h.last_error,
      case when not k.has_released then h.response_ms end as response_ms,
      h.disable_reason
    from (
      select r.workspace_id, r.destination_id, bool_or(r.action = 'release') as has_released
      from unnest(p_results) as r
      group by r.workspace_id, r.destination_id
    ) as k
    left join finished as f
      on f.workspace_id = k.workspace_id and f.destination_id = k.destination_id
    left join health as h
      on h.workspace_id = k.workspace_id and h.destination_id = k.destination_id
  )
  select coalesce(array_agg(row(t.*)::private.lane_tally), '{}') into v_tallies from tallies as t;
  return v_tallies;
end
$$;
comment on function private.tally_results(private.attempt_result[], private.finished_row[], uuid[]) is
  'Adds up results by lane: claims that ended, and what new attempts say about the health of the destination.';

create or replace function private.complete_deliveries(
  p_results text,
  p_now timestamptz default clock_timestamp()
)
returns integer
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
  v_results private.attempt_result[];
  v_finished private.finished_row[];
  v_tallies private.lane_tally[];
begin
  select array_agg(r order by r.position) into v_results
  from jsonb_populate_recordset(null::private.attempt_result, p_results::jsonb) as r;
  perform private.lock_lanes(array_agg(r.workspace_id), array_agg(r.destination_id))
  from unnest(v_results) as r;
  v_finished := private.finish_rows(v_results, p_now);
  v_tallies := private.tally_results(v_results, v_finished, private.log_results(v_results));
  perform private.update_lanes(v_tallies, p_now);
  perform private.update_lane_health(v_tallies, p_now);
  return cardinality(v_finished);
end
$$;
comment on function private.complete_deliveries(text, timestamptz) is
  'Records a JSON array of private.attempt_result, position counted from 1 in the order they ended: logs every attempt, ends the claims that are still valid, and updates the lanes. Recording a result again changes nothing. Returns how many claims ended.';
grant execute on function private.complete_deliveries(text, timestamptz) to signalpost_dispatch;
