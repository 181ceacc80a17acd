-- Purpose: when there is work for webhook-dispatch, and how it is woken: see private.wake_worker.

create or replace function private.wake_dispatcher()
returns boolean
-- In SQL, it would be planned again for each statement that calls it.
language plpgsql
volatile
-- Definer: a dispatcher wakes the next one, and may not touch the slots itself.
security definer
set search_path = ''
set jit = 'off'
as $$
begin
  return private.wake_worker('webhook-dispatch');
end
$$;
comment on function private.wake_dispatcher() is
  'Wakes a dispatcher unless that was done three times within the last 10 ms. Returns true if it did.';
grant execute on function private.wake_dispatcher() to signalpost_dispatch;

create or replace function private.watch_queue(p_for interval)
returns void
language sql
volatile
-- Definer: a dispatcher reports this, and may not write the table.
security definer
set search_path = ''
set jit = 'off'
as $$
  select private.watch_work('webhook-dispatch', p_for)
$$;
comment on function private.watch_queue(interval) is
  'Notes that a dispatcher looks for work for this long, and once more a second later, so that nobody needs to call one.';
grant execute on function private.watch_queue(interval) to signalpost_dispatch;

create or replace function private.next_ready_at(p_now timestamptz default clock_timestamp())
returns timestamptz
language sql
stable
-- Definer: as for take_job.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
  select case
    when exists (select from private.lane_arrivals)
      or exists (select from private.fan_outs)
      or exists (select from public.jobs as j where j.finished_at is null)
      or exists (
        select
        from private.lanes as l
        cross join lateral (
          select from private.webhook_queue as w
          where w.destination_id = l.destination_id and w.lease_until <= p_now
          limit 1
        ) as q
        where l.in_flight > 0
      )
    then p_now
    else (select min(l.ready_at) from private.lanes as l where l.is_waiting)
  end
$$;
comment on function private.next_ready_at(timestamptz) is
  'The time of the next work for a dispatcher, as currently known; null for never.';
grant execute on function private.next_ready_at(timestamptz) to signalpost_dispatch;

create or replace function private.wake_if_due(
  p_now timestamptz default clock_timestamp(),
  p_is_ending boolean default false
)
returns boolean
language plpgsql
volatile
-- Definer: a dispatcher that has to end calls the next one.
security definer
set search_path = ''
set jit = 'off'
as $$
begin
  return private.pass_on_work(
    'webhook-dispatch',
    coalesce(private.next_ready_at(p_now) <= p_now, false),
    exists (
      select from private.lanes as l
      where l.is_waiting and l.ready_at < p_now - interval '2 seconds'
    ),
    p_is_ending
  );
end
$$;
comment on function private.wake_if_due(timestamptz, boolean) is
  'Wakes a dispatcher if there is work for one now. Returns true if there is. p_is_ending: the caller is a dispatcher that stops looking for work.';
grant execute on function private.wake_if_due(timestamptz, boolean) to signalpost_dispatch;
