-- Purpose: makes messages that wait to be repeated due at once when their sender is corrected.
-- Locks:   the lane of the sender, then rows of its queue.

create or replace function private.retry_sends_now(
  p_workspace_id uuid,
  p_sender_id uuid,
  p_limit integer,
  p_now timestamptz default clock_timestamp()
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_after uuid := (
    select l.retry_cursor from private.send_lanes as l
    where l.workspace_id = p_workspace_id and l.sender_id = p_sender_id
    for update
  );
  v_seen uuid[];
begin
  if v_after is null then
    return 0;
  end if;
  -- By id, so that each is changed once: one that fails again waits as before.
  v_seen := array(
    select q.send_id from private.send_queue as q
    where q.workspace_id = p_workspace_id and q.sender_id = p_sender_id and q.send_id > v_after
    order by q.send_id
    limit p_limit
  );
  update private.send_queue as q
  set due_at = p_now
  where q.workspace_id = p_workspace_id and q.sender_id = p_sender_id and q.send_id = any (v_seen)
    and q.claim is null and q.attempts > 0 and q.due_at > p_now;
  update private.send_lanes as l
  set
    due_at = case when found then least(l.due_at, p_now) else l.due_at end,
    retry_cursor = case when cardinality(v_seen) = p_limit then v_seen[p_limit] end
  where l.workspace_id = p_workspace_id and l.sender_id = p_sender_id;
  return cardinality(v_seen);
end
$$;
comment on function private.retry_sends_now(uuid, uuid, integer, timestamptz) is
  'If a sender was corrected, makes those of its next p_limit messages due that have been tried and wait to be repeated. Returns the number checked.';

create or replace function private.retry_corrected_senders(p_limit integer)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_seen integer;
begin
  select private.retry_sends_now(l.workspace_id, l.sender_id, p_limit) into v_seen
  from (
    select k.workspace_id, k.sender_id from private.send_lanes as k
    where k.retry_cursor is not null
    order by k.workspace_id, k.sender_id
    limit 1
    for update skip locked
  ) as l;
  if v_seen > 0 then
    perform private.wake_worker('send-dispatch');
  end if;
  return coalesce(v_seen, 0);
end
$$;
comment on function private.retry_corrected_senders(integer) is
  'Continues private.retry_sends_now for a sender with more than a thousand messages, and returns the number checked. Runs every 10 seconds.';
