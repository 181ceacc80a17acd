-- Purpose: claims of dispatchers that are gone: their deliveries are due again.
-- Locks:   lanes before queue rows, lanes in the order of their destination's id.

create or replace function private.expire_claims(
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
set jit = 'off'
as $$
declare
  v_keys jsonb;
  v_lost public.deliveries[];
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
  perform private.lock_lanes(array_agg(k.workspace_id), array_agg(k.destination_id))
  from jsonb_to_recordset(v_keys) as k (workspace_id uuid, destination_id uuid);

  with expired as (
    update private.webhook_queue as q
    set
      claim = null, claimed_at = null, lease_until = null, due_at = p_now,
      attempts = q.attempts + 1,
      tries = case when q.is_replayed then 0 else q.tries end,
      trigger = case
        when q.is_replayed then 'replay' when q.trigger = 'event' then 'retry' else q.trigger
      end,
      is_replayed = false
    from jsonb_to_recordset(v_keys)
      as k (claim uuid, workspace_id uuid, destination_id uuid, message_id uuid, trigger text)
    cross join lateral (
      select w.ctid, w.message_created_at, date_trunc('milliseconds', w.claimed_at) as claimed_at
      from private.webhook_queue as w
      where w.workspace_id = k.workspace_id and w.destination_id = k.destination_id
        and w.message_id = k.message_id and w.claim = k.claim
      for update
    ) as h
    left join lateral (
      select n.event_type from public.webhook_messages as n
      where n.workspace_id = k.workspace_id and n.created_at = h.message_created_at
        and n.id = k.message_id limit 1
    ) as m on true
    where q.ctid = h.ctid
    returning row(
      q.workspace_id, private.uuid_v7(h.claimed_at), q.destination_id, q.message_id,
      q.message_created_at, m.event_type, q.attempts, k.trigger, false, null, null, null,
      'interrupted', null, h.claimed_at, p_now
    )::public.deliveries as lost
  )
  select coalesce(array_agg(e.lost), '{}') into v_lost from expired as e;

  -- The next claim finds out which of the two it is.
  update private.lanes as l
  set
    in_flight = l.in_flight - r.rows,
    due_at = least(l.due_at, p_now),
    manual_due_at = least(l.manual_due_at, p_now)
  from (
    select e.workspace_id, e.destination_id, count(*)::integer as rows
    from unnest(v_lost) as e
    group by e.workspace_id, e.destination_id
  ) as r
  where l.workspace_id = r.workspace_id and l.destination_id = r.destination_id;
  -- Nobody knows whether the request was sent: the log shows that, too.
  perform private.log_attempts(array(
    select e from unnest(v_lost) as e where e.event_type is not null
  ));
  return cardinality(v_lost);
end
$$;
comment on function private.expire_claims(integer, timestamptz) is
  'Makes deliveries due again whose lease expired because the dispatcher is gone. Logs them as interrupted, and returns their number.';
grant execute on function private.expire_claims(integer, timestamptz) to signalpost_dispatch;
