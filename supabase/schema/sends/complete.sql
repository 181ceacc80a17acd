-- Purpose: the outcomes of messages: the log, the queue, the lanes, caps, and engagement.
-- Locks:   lanes before queue rows before messages, lanes in the order of their sender's id.

create or replace function private.read_send_results(p_results text)
returns private.send_result[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return array(
    select row(
      r.position, r.claim, r.workspace_id, r.sender_id, r.send_id, r.queued_at,
      -- Feedback may have been faster: nothing is sent a second time. An erased one is gone.
      case
        when s.id is null then 'drop'
        when s.state in ('sent', 'failed') and r.action <> 'sent' then 'settled'
        else r.action
      end,
      r.reason, r.provider_id, r.is_sender_failure, r.is_hard_bounce, r.paused_until, r.next_attempt_at, r.attempt,
      r.duration_ms, r.attempted_at
    )::private.send_result
    from jsonb_array_elements(p_results::jsonb) as e
    cross join lateral jsonb_populate_record(
      null::private.send_result,
      e || jsonb_build_object('queued_at', private.uuid_v7_time((e ->> 'send_id')::uuid))
    ) as r
    cross join lateral (
      select from private.send_queue as q
      where q.workspace_id = r.workspace_id and q.sender_id = r.sender_id and q.send_id = r.send_id
        and q.claim = r.claim
      for update
    ) as q
    left join lateral (
      select n.id, n.state from public.sends as n
      where n.workspace_id = r.workspace_id and n.queued_at = r.queued_at
        and n.id = r.send_id
      for update
    ) as s on true
    order by r.position
  );
end
$$;
comment on function private.read_send_results(text) is
  'The results whose claims are still valid, as private.send_result; locks their queue rows and messages.';

create or replace function private.finish_sends(p_results private.send_result[], p_now timestamptz)
returns private.send_result[]
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  delete from private.send_queue as q
  using unnest(p_results) as r
  where r.action not in ('retry', 'release')
    and q.workspace_id = r.workspace_id and q.sender_id = r.sender_id and q.send_id = r.send_id;
  update private.send_queue as q
  set
    claim = null, lease_until = null, started_at = null,
    due_at = coalesce(r.next_attempt_at, p_now),
    attempts = q.attempts + case r.action when 'retry' then 1 else 0 end
  from unnest(p_results) as r
  where r.action in ('retry', 'release')
    and q.workspace_id = r.workspace_id and q.sender_id = r.sender_id and q.send_id = r.send_id;
  update public.sends as s
  set
    state = case r.action
      when 'settled' then s.state
      when 'retry' then 'queued'
      when 'release' then 'queued'
      else r.action
    end,
    reason = case r.action when 'settled' then s.reason else r.reason end,
    provider_id = coalesce(s.provider_id, r.provider_id),
    attempts = case when r.attempt is null then s.attempts else s.attempts || jsonb_build_array(r.attempt) end,
    sent_at = case r.action when 'sent' then coalesce(s.sent_at, r.attempted_at) else s.sent_at end,
    finished_at = case
      when r.action in ('retry', 'release') then null
      else coalesce(s.finished_at, p_now)
    end
  from unnest(p_results) as r
  where r.action <> 'drop'
    and s.workspace_id = r.workspace_id and s.queued_at = r.queued_at
    and s.id = r.send_id;
  return array(
    select r
    from unnest(p_results) as r
    where not exists (
      select from private.send_queue as q
      where q.workspace_id = r.workspace_id and q.sender_id = r.sender_id and q.send_id = r.send_id
        and q.claim = r.claim
    )
    order by r.position
  );
end
$$;
comment on function private.finish_sends(private.send_result[], timestamptz) is
  'Removes or reschedules rows of the queue, and notes the outcomes of their messages. Returns the results that took effect: all, except those of a workspace that is being moved.';

create or replace function private.record_outcomes(p_results private.send_result[], p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_entries jsonb;
begin
  select jsonb_agg(jsonb_build_object(
    'workspace_id', r.workspace_id, 'send_id', r.send_id,
    'queued_at', r.queued_at,
    'name', case r.action when 'sent' then 'email_sent' else 'email_failed' end,
    'at', private.rfc3339(coalesce(r.attempted_at, p_now)),
    'properties', case
      when r.action = 'failed' then jsonb_build_object('reason', r.reason) else '{}'
    end
  ) order by r.position) into v_entries
  from unnest(p_results) as r
  join public.sends as s
    on s.workspace_id = r.workspace_id and s.queued_at = r.queued_at
    and s.id = r.send_id
  where r.action in ('sent', 'failed') and s.purpose = 'message';
  if v_entries is not null then
    perform private.record_engagements(v_entries);
  end if;
end
$$;
comment on function private.record_outcomes(private.send_result[], timestamptz) is
  'Stores email_sent and email_failed on the timelines of the customers.';

create or replace function private.record_hard_bounces(
  p_results private.send_result[],
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_bounced jsonb;
begin
  select jsonb_agg(jsonb_build_object(
    'workspace_id', r.workspace_id, 'send_id', r.send_id, 'email', s.email,
    'name', 'email_bounced', 'at', private.rfc3339(coalesce(r.attempted_at, p_now)),
    'properties', jsonb_build_object('bounce_type', 'hard', 'reason', r.attempt ->> 'response')
  ) order by r.workspace_id, r.position) into v_bounced
  from unnest(p_results) as r
  join public.sends as s
    on s.workspace_id = r.workspace_id and s.queued_at = r.queued_at
    and s.id = r.send_id
  where r.is_hard_bounce and r.action = 'failed';
  if v_bounced is null then
    return;
  end if;
  perform private.suppress(w.workspace_id, w.entries, p_now)
  from (
    select b.workspace_id, jsonb_agg(jsonb_build_object(
      'email', b.email, 'reason', 'hard_bounce', 'source', 'feedback'
    )) as entries
    from jsonb_to_recordset(v_bounced) as b (workspace_id uuid, email text)
    group by b.workspace_id
    order by b.workspace_id
  ) as w;
  perform private.record_engagements(v_bounced);
end
$$;
comment on function private.record_hard_bounces(private.send_result[], timestamptz) is
  'Suppresses addresses that a provider refused at once because they do not exist, and stores email_bounced.';

create or replace function private.count_outcomes(p_results private.send_result[], p_now timestamptz)
returns void
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  insert into public.sender_stats as s (
    workspace_id, sender_id, hour, sent, failed, skipped, unknown, retried, bounced, refused
  )
  select
    r.workspace_id, r.sender_id, date_trunc('hour', p_now, 'UTC'),
    count(*) filter (where o.outcome = 'sent'), count(*) filter (where o.outcome = 'failed'),
    count(*) filter (where o.outcome = 'skipped'), count(*) filter (where o.outcome = 'unknown'),
    count(*) filter (where o.outcome = 'retry'),
    count(*) filter (where r.action = 'failed' and r.is_hard_bounce),
    count(*) filter (where r.action = 'failed' and r.is_hard_bounce)
  from unnest(p_results) as r
  cross join lateral (
    -- By a report that was faster than the result: it leaves the queue, and counts, now.
    select case r.action when 'settled' then k.state else r.action end as outcome
    from public.sends as k
    where k.workspace_id = r.workspace_id and k.queued_at = r.queued_at and k.id = r.send_id
      and k.purpose = 'message'
  ) as o
  where o.outcome in ('sent', 'failed', 'skipped', 'unknown', 'retry')
  group by r.workspace_id, r.sender_id
  order by r.workspace_id, r.sender_id
  on conflict (workspace_id, sender_id, hour) do update
  set
    sent = s.sent + excluded.sent, failed = s.failed + excluded.failed,
    skipped = s.skipped + excluded.skipped, unknown = s.unknown + excluded.unknown,
    retried = s.retried + excluded.retried, bounced = s.bounced + excluded.bounced,
    refused = s.refused + excluded.refused
$$;
comment on function private.count_outcomes(private.send_result[], timestamptz) is
  'Adds outcomes to the figures of their senders, whose lanes the caller has locked. A message counts once: when it leaves the queue. A test does not count.';

create or replace function private.recount_sends(p_sends jsonb)
returns void
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  insert into public.sender_stats as f (
    workspace_id, sender_id, hour, sent, failed, bounced, refused, complained
  )
  select
    s.workspace_id, s.sender_id, date_trunc('hour', s.finished_at, 'UTC'),
    count(*) filter (where k.was_unknown and s.state = 'sent'),
    count(*) filter (where k.was_unknown and s.state = 'failed'),
    count(*) filter (where k.feedback = 'bounced'),
    count(*) filter (where k.feedback = 'bounced' and s.state = 'failed'),
    count(*) filter (where k.feedback = 'complained')
  from jsonb_to_recordset(p_sends) as k (
    workspace_id uuid, send_id uuid, was_unknown boolean, feedback text
  )
  join public.sends as s
    on s.workspace_id = k.workspace_id and s.queued_at = private.uuid_v7_time(k.send_id)
    and s.id = k.send_id
  where s.state in ('sent', 'failed') and s.purpose = 'message'
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict (workspace_id, sender_id, hour) do update
  set
    sent = f.sent + excluded.sent, failed = f.failed + excluded.failed,
    unknown = greatest(f.unknown - excluded.sent - excluded.failed, 0),
    bounced = f.bounced + excluded.bounced, refused = f.refused + excluded.refused,
    complained = f.complained + excluded.complained
$$;
comment on function private.recount_sends(jsonb) is
  'Adds what became known about messages later, a JSON array of { workspace_id, send_id, was_unknown, feedback }, to the figures of the hour in which they counted: those that were unknown are sent or failed, and those with the new feedback bounced or complained are counted as such.';

create or replace function private.delete_old_sender_stats(
  p_limit integer default 10000,
  p_now timestamptz default clock_timestamp()
)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with old as materialized (
    select o.workspace_id, o.sender_id, o.hour
    from public.workspaces as w
    cross join lateral (
      select s.workspace_id, s.sender_id, s.hour
      from public.sender_stats as s
      where s.workspace_id = w.id and s.hour < private.totals_start(p_now)
      limit p_limit
      for update skip locked
    ) as o
    limit p_limit
  ),
  gone as (
    delete from public.sender_stats as s
    using old as o
    where s.workspace_id = o.workspace_id and s.sender_id = o.sender_id and s.hour = o.hour
    returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.delete_old_sender_stats(integer, timestamptz) is
  'Deletes up to p_limit expired figures of senders and returns the number deleted. Runs every hour.';

create or replace function private.tally_sends(p_results private.send_result[], p_now timestamptz)
returns private.send_tally[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return array(
    with results as (
      select
        r.*, r.action = 'sent' as ok,
        max(r.position) filter (where r.action = 'sent')
          over (partition by r.workspace_id, r.sender_id) as last_ok
      from unnest(p_results) as r
    )
    -- The fields of the type, in its order.
    select row(
      r.workspace_id, r.sender_id, count(*)::integer,
      min(coalesce(r.next_attempt_at, p_now)) filter (where r.action in ('retry', 'release')),
      count(*) filter (where r.attempt is not null)::integer,
      max(r.attempted_at) filter (where r.ok),
      count(*) filter (where r.is_sender_failure and r.position > coalesce(r.last_ok, 0))::integer,
      min(r.attempted_at) filter (where r.is_sender_failure and r.position > coalesce(r.last_ok, 0)),
      max(r.attempted_at) filter (where r.is_sender_failure),
      (array_agg(r.reason order by r.position desc) filter (where r.is_sender_failure))[1],
      case
        when bool_and(r.ok or r.action = 'skipped') then avg(r.duration_ms) filter (where r.ok)
      end,
      max(r.paused_until)
    )::private.send_tally
    from results as r
    group by r.workspace_id, r.sender_id
    order by r.sender_id, r.workspace_id
  );
end
$$;
comment on function private.tally_sends(private.send_result[], timestamptz) is
  'Adds up results by lane: claims that ended, and what the attempts say about the sender.';

create or replace function private.complete_sends(
  p_results text,
  p_now timestamptz default clock_timestamp()
)
returns integer
language plpgsql
volatile
-- Definer: the role of send-dispatch may execute this and reads or writes no table.
security definer
set search_path = ''
set enable_seqscan = 'off'
set plan_cache_mode = 'force_generic_plan'
set jit = 'off'
as $$
declare
  v_results private.send_result[];
  v_tallies private.send_tally[];
begin
  perform private.lock_send_lanes(array_agg(r.workspace_id), array_agg(r.sender_id))
  from jsonb_to_recordset(p_results::jsonb) as r (workspace_id uuid, sender_id uuid);
  v_results := private.read_send_results(p_results);
  if cardinality(v_results) < jsonb_array_length(p_results::jsonb) then
    perform private.record_late_results(p_results, p_now);
  end if;
  if cardinality(v_results) = 0 then
    return 0;
  end if;
  v_results := private.finish_sends(v_results, p_now);
  perform private.give_back_caps(v_results, p_now);
  v_tallies := private.tally_sends(v_results, p_now);
  perform private.update_send_lanes(v_tallies, p_now);
  perform private.update_sender_health(v_tallies, p_now);
  perform private.record_outcomes(v_results, p_now);
  -- After the locks of private.ingest, which a report about a message takes before figures.
  perform private.count_outcomes(v_results, p_now);
  perform private.record_hard_bounces(v_results, p_now);
  return cardinality(v_results);
end
$$;
comment on function private.complete_sends(text, timestamptz) is
  'Records a JSON array of private.send_result, position counted from 1 in the order they ended: the messages, the queue, the lanes and the engagement, in one transaction. Recording a result again changes nothing. A result whose lease has expired still settles a message of unknown outcome: see private.record_late_results. Returns how many claims ended.';
grant execute on function private.complete_sends(text, timestamptz) to signalpost_send;
