-- Purpose: claims of dispatchers that are gone. A message that was not handed over yet is due
--          again. One that may have been handed over is not repeated, unless that is safe.
-- Locks:   lanes before queue rows before messages, lanes in the order of their sender's id.

create or replace function private.lost_sends(p_limit integer, p_now timestamptz)
returns jsonb
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select jsonb_agg(jsonb_build_object(
    'workspace_id', e.workspace_id, 'sender_id', e.sender_id, 'send_id', e.send_id, 'claim', e.claim
  ) order by e.sender_id, e.send_id)
  from (
    select q.workspace_id, q.sender_id, q.send_id, q.claim
    from private.send_lanes as l
    cross join lateral (
      select w.* from private.send_queue as w
      where w.workspace_id = l.workspace_id and w.sender_id = l.sender_id
        and w.lease_until <= p_now
      limit p_limit
    ) as q
    where l.in_flight > 0
    limit p_limit
  ) as e
$$;
comment on function private.lost_sends(integer, timestamptz) is
  'Up to p_limit rows of the queue whose lease has expired, as JSON; null if there are none.';

create or replace function private.judge_lost_sends(p_lost jsonb, p_now timestamptz)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  return (
    select jsonb_agg(jsonb_build_object(
      'position', r.position, 'claim', r.claim, 'workspace_id', r.workspace_id,
      'sender_id', r.sender_id, 'send_id', r.send_id,
      'action', case
        when q.started_at is null then 'release'
        when private.takes_idempotency_key(o.provider) or o.on_unknown = 'repeat' then 'retry'
        else 'unknown'
      end,
      'reason', case when q.started_at is not null then 'interrupted' end,
      'next_attempt_at', p_now,
      'attempted_at', q.started_at,
      'attempt', case when q.started_at is not null then jsonb_build_object(
        'at', private.rfc3339(q.started_at), 'outcome', 'unknown', 'reason', 'interrupted',
        'status_code', null, 'response', null, 'duration_ms', null
      ) end
    ))
    from rows from (
      jsonb_to_recordset(p_lost) as (workspace_id uuid, sender_id uuid, send_id uuid, claim uuid)
    ) with ordinality as r (workspace_id, sender_id, send_id, claim, position)
    cross join lateral (
      select w.started_at from private.send_queue as w
      where w.workspace_id = r.workspace_id and w.sender_id = r.sender_id
        and w.send_id = r.send_id and w.claim = r.claim
      for update
    ) as q
    left join public.senders as o on o.workspace_id = r.workspace_id and o.id = r.sender_id
  );
end
$$;
comment on function private.judge_lost_sends(jsonb, timestamptz) is
  'The results of lost claims, as private.complete_sends takes them.';

create or replace function private.expire_send_claims(
  p_limit integer default 500,
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
  v_lost jsonb := private.lost_sends(p_limit, p_now);
  v_results jsonb;
begin
  if v_lost is null then
    return 0;
  end if;
  perform private.lock_send_lanes(array_agg(k.workspace_id), array_agg(k.sender_id))
  from jsonb_to_recordset(v_lost) as k (workspace_id uuid, sender_id uuid);
  v_results := private.judge_lost_sends(v_lost, p_now);
  if v_results is null then
    return 0;
  end if;
  return private.complete_sends(v_results::text, p_now);
end
$$;
comment on function private.expire_send_claims(integer, timestamptz) is
  'Ends claims whose lease has expired because their dispatcher is gone. A message that was not handed over is due again. One that may have been is repeated only if its provider takes an idempotency key or its sender says so, otherwise its state is unknown. Returns the number of claims.';
grant execute on function private.expire_send_claims(integer, timestamptz) to signalpost_send;
