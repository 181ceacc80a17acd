-- Purpose: results that arrive after their lease has expired: the message was taken or refused,
--          and its state must say so.
-- Locks:   as private.complete_sends, which calls this with the lanes locked.

create or replace function private.read_late_results(p_results text)
returns private.send_result[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return array(
    select r
    from jsonb_array_elements(p_results::jsonb) as e
    cross join lateral jsonb_populate_record(
      null::private.send_result,
      e || jsonb_build_object('queued_at', private.uuid_v7_time((e ->> 'send_id')::uuid))
    ) as r
    cross join lateral (
      select s.state from public.sends as s
      where s.workspace_id = r.workspace_id and s.queued_at = r.queued_at
        and s.id = r.send_id
      for update
    ) as s
    where r.attempt is not null
      and not exists (
        select from private.send_queue as q
        where q.workspace_id = r.workspace_id and q.sender_id = r.sender_id
          and q.send_id = r.send_id and q.claim = r.claim
      )
      -- A message that waits to be repeated gets another answer, unless the first one was yes.
      and (
        s.state = 'unknown' and r.action in ('sent', 'failed')
        or s.state in ('queued', 'sending') and r.action = 'sent'
      )
    order by r.position
  );
end
$$;
comment on function private.read_late_results(text) is
  'Those of the results whose claim has ended, and which settle a message that is still open; locks the messages.';

create or replace function private.record_late_results(p_results text, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_late private.send_result[] := private.read_late_results(p_results);
  v_unknown_ids uuid[] := array(
    select s.id
    from unnest(v_late) as r
    join public.sends as s
      on s.workspace_id = r.workspace_id and s.queued_at = r.queued_at and s.id = r.send_id
    where s.state = 'unknown'
  );
  v_waiting_ids uuid[];
begin
  if cardinality(v_late) = 0 then
    return;
  end if;
  with settled as (
    update public.sends as s
    set
      state = r.action,
      reason = r.reason,
      provider_id = coalesce(s.provider_id, r.provider_id),
      attempts = s.attempts || jsonb_build_array(r.attempt),
      sent_at = case r.action when 'sent' then coalesce(s.sent_at, r.attempted_at) else s.sent_at end,
      finished_at = coalesce(s.finished_at, p_now)
    from unnest(v_late) as r
    where s.workspace_id = r.workspace_id and s.queued_at = r.queued_at
      and s.id = r.send_id
    returning r.position
  )
  select coalesce(array_agg(r order by r.position), '{}') into v_late
  from unnest(v_late) as r
  where r.position in (select t.position from settled as t);
  -- Another worker may have claimed it since then: it leaves the queue, and counts, with that claim.
  with gone as (
    delete from private.send_queue as q
    using unnest(v_late) as r
    where q.workspace_id = r.workspace_id and q.sender_id = r.sender_id and q.send_id = r.send_id
      and q.claim is null
    returning q.send_id
  )
  select coalesce(array_agg(g.send_id), '{}') into v_waiting_ids from gone as g;
  perform private.count_outcomes(
    array(select r from unnest(v_late) as r where r.send_id = any (v_waiting_ids)), p_now
  );
  perform private.recount_sends((
    select jsonb_agg(jsonb_build_object(
      'workspace_id', r.workspace_id, 'send_id', r.send_id, 'was_unknown', true,
      'feedback', case when r.action = 'failed' and r.is_hard_bounce then 'bounced' end
    ))
    from unnest(v_late) as r
    where r.send_id = any (v_unknown_ids)
  ));
  perform private.give_back_caps(v_late, p_now);
  perform private.record_outcomes(v_late, p_now);
  perform private.record_hard_bounces(v_late, p_now);
end
$$;
comment on function private.record_late_results(text, timestamptz) is
  'Settles messages whose outcome was unknown, or that wait to be repeated, by results that arrive after their lease: sent, with its event, or failed. They leave the queue and count in the figures of their sender. Another late result changes nothing.';
