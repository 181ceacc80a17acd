-- Purpose: claims that end with their dispatcher: what it held is due again.
-- Locks:   lanes before queue rows, lanes in the order of their destination's id.
-- Risk:    none.
-- Undo:    drop the functions.

create function private.expire_claims(
  p_limit integer default 500,
  p_now timestamptz default clock_timestamp()
)
returns integer
language plpgsql
volatile
-- Definer: the dispatcher's role may execute this and read or write no table.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_keys jsonb;
  v_expired integer;
begin
  select jsonb_agg(e) into v_keys
  from (
    select q.workspace_id, q.destination_id, q.message_id, q.claim, q.trigger
    from private.lanes as l
    cross join lateral (
      select w.* from private.webhook_queue as w
      where w.destination_id = l.destination_id and w.lease_until <= p_now
      limit p_limit
    ) as q
    where l.in_flight > 0
    limit p_limit
  ) as e;
  if v_keys is null then
    return 0;
  end if;
  perform private.lock_lanes(
    array_agg(k.workspace_id), array_agg(k.destination_id)
  )
  from jsonb_to_recordset(v_keys) as k (workspace_id uuid, destination_id uuid);
  with expired as (
    update private.webhook_queue as q
    set
      claim = null, lease_until = null, due_at = p_now, attempts = q.attempts + 1,
      trigger = case q.trigger when 'event' then 'retry' else q.trigger end
    from jsonb_to_recordset(v_keys)
      as k (claim uuid, workspace_id uuid, destination_id uuid, message_id uuid, trigger text)
    cross join lateral (
      select w.ctid as row_id from private.webhook_queue as w
      where w.workspace_id = k.workspace_id and w.destination_id = k.destination_id
        and w.message_id = k.message_id and w.claim = k.claim
      for update
    ) as h
    where q.ctid = h.row_id
    returning
      q.workspace_id, q.destination_id, q.message_id, q.message_created_at, q.is_manual,
      q.claimed_at, q.attempts, k.trigger
  ),
  lanes as (
    update private.lanes as l
    set
      in_flight = l.in_flight - r.rows,
      due_at = case when r.has_others then least(l.due_at, p_now) else l.due_at end,
      manual_due_at = case when r.has_manual then least(l.manual_due_at, p_now) else l.manual_due_at end
    from (
      select
        e.workspace_id, e.destination_id, count(*)::integer as rows,
        bool_or(e.is_manual) as has_manual, not bool_and(e.is_manual) as has_others
      from expired as e
      group by e.workspace_id, e.destination_id
    ) as r
    where l.workspace_id = r.workspace_id and l.destination_id = r.destination_id
  ),
  -- Whether the request left is not known: that, too, is for the log to show.
  logged as (
    insert into public.deliveries (
      workspace_id, id, destination_id, message_id, message_created_at, event_type,
      attempt_number, trigger, ok, error, attempted_at, next_attempt_at
    )
    select
      e.workspace_id, private.uuid_v7(date_trunc('milliseconds', e.claimed_at)), e.destination_id, e.message_id,
      e.message_created_at, m.event_type, e.attempts, e.trigger, false, 'interrupted',
      date_trunc('milliseconds', e.claimed_at), p_now
    from expired as e
    join public.webhook_messages as m
      on m.workspace_id = e.workspace_id and m.created_at = e.message_created_at
      and m.id = e.message_id
  )
  select count(*)::integer into v_expired from expired;
  return v_expired;
end
$$;
comment on function private.expire_claims(integer, timestamptz) is
  'Makes deliveries due again whose lease ran out because their dispatcher is gone, and logs them as interrupted; returns how many.';
grant execute on function private.expire_claims(integer, timestamptz) to signalpost_dispatch;
