-- Purpose: when there is work for send-dispatch, and how it is woken.

create or replace function private.next_send_at(p_now timestamptz default clock_timestamp())
returns timestamptz
language sql
stable
-- Definer: the role of send-dispatch reads no table.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
  select case
    when exists (select from private.send_arrivals)
      or exists (
        select
        from private.send_lanes as l
        cross join lateral (
          select from private.send_queue as w
          where w.workspace_id = l.workspace_id and w.sender_id = l.sender_id
            and w.lease_until <= p_now
          limit 1
        ) as q
        where l.in_flight > 0
      )
    then p_now
    else (select min(l.ready_at) from private.send_lanes as l where l.is_waiting)
  end
$$;
comment on function private.next_send_at(timestamptz) is
  'The time of the next work for send-dispatch, as currently known; null for never.';
grant execute on function private.next_send_at(timestamptz) to signalpost_send;

create or replace function private.wake_sends_if_due(
  p_now timestamptz default clock_timestamp(),
  p_is_ending boolean default false
)
returns boolean
language plpgsql
volatile
-- Definer: a run that has to end calls the next one.
security definer
set search_path = ''
set jit = 'off'
as $$
begin
  return private.pass_on_work(
    'send-dispatch',
    coalesce(private.next_send_at(p_now) <= p_now, false),
    exists (
      select from private.send_lanes as l
      where l.is_waiting and l.ready_at < p_now - interval '2 seconds'
    ),
    p_is_ending
  );
end
$$;
comment on function private.wake_sends_if_due(timestamptz, boolean) is
  'Wakes send-dispatch if there is work for it now. Returns true if there is. p_is_ending: the caller is a run that stops looking for work.';
grant execute on function private.wake_sends_if_due(timestamptz, boolean) to signalpost_send;

create or replace function private.watch_sends(p_for interval)
returns void
language sql
volatile
-- Definer: a run of send-dispatch reports this, and may not write the table.
security definer
set search_path = ''
set jit = 'off'
as $$
  select private.watch_work('send-dispatch', p_for)
$$;
comment on function private.watch_sends(interval) is
  'Notes that a run of send-dispatch looks for work for this long: see private.watch_work.';
grant execute on function private.watch_sends(interval) to signalpost_send;
