-- Purpose: how a dispatcher learns that there is work: by NOTIFY, and by a request through pg_net.
-- Risk:    called from every publication: nobody may wait for anybody here.

create or replace function private.database_identity()
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  -- pg_restore gives tables new object ids. An upgrade and a backup of the files keep them.
  select concat_ws(
    '.',
    (select d.oid from pg_catalog.pg_database as d where d.datname = current_database()),
    'private.lanes'::regclass::oid,
    'private.dispatch_wakes'::regclass::oid,
    'private.dispatch_state'::regclass::oid
  )
$$;
comment on function private.database_identity() is
  'An id that differs between this database and a copy restored from a dump.';

create or replace function private.post_wake()
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_url text;
  v_key text;
begin
  select s.decrypted_secret into v_url
  from vault.decrypted_secrets as s where s.name = 'signalpost_dispatch_url';
  select s.decrypted_secret into v_key
  from vault.decrypted_secrets as s where s.name = 'signalpost_dispatch_key';
  if v_url is null or v_key is null then
    raise warning 'Cannot wake the dispatcher: Vault has no address for it, call ops.configure_dispatch(url, key)';
    return;
  end if;
  -- The function responds at once. A long timeout would hold up all other requests of pg_net.
  perform net.http_post(
    url => v_url,
    body => '{}',
    headers => jsonb_build_object('content-type', 'application/json', 'apikey', v_key),
    timeout_milliseconds => 5000
  );
exception when others then
  -- Publishing must not fail because of this: the schedule wakes the dispatcher.
  raise warning 'Cannot wake the dispatcher: %', sqlerrm;
end
$$;
comment on function private.post_wake() is
  'Calls the dispatcher through pg_net at commit, at the address that ops.configure_dispatch was given.';

create or replace function private.send_wake(p_is_needed boolean default false)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_state private.dispatch_state;
begin
  perform pg_notify('webhook_dispatch', '');
  select s.* into v_state from private.dispatch_state as s;
  if v_state.configured_for is null then
    if to_regprocedure('net.http_post(text, jsonb, jsonb, jsonb, integer)') is not null then
      raise warning 'Cannot wake the dispatcher: call ops.configure_dispatch(url, key) once';
    end if;
    return;
  elsif v_state.configured_for <> private.database_identity() then
    raise warning 'Cannot wake the dispatcher: this database is a restored copy, call ops.configure_dispatch(url, key) for it';
    return;
  elsif v_state.watched_until > clock_timestamp() and not p_is_needed then
    return;
  end if;
  -- The last request is still on its way to a dispatcher.
  update private.dispatch_wakes as w
  set posted_at = clock_timestamp()
  where w.slot = (
    select f.slot
    from private.dispatch_wakes as f
    where not exists (
      select from private.dispatch_wakes as r
      where r.posted_at > clock_timestamp() - interval '1 second'
    )
    limit 1
    for update skip locked
  );
  if found then
    perform private.post_wake();
  end if;
end
$$;
comment on function private.send_wake(boolean) is
  'Wakes a dispatcher at commit: by NOTIFY, and by a request if none is running or p_is_needed. At most one request per second.';

create or replace function private.wake_dispatcher()
returns boolean
language plpgsql
volatile
-- Definer: the dispatcher wakes the next one, and may not touch the slots itself.
security definer
set search_path = ''
set jit = 'off'
as $$
begin
  -- A rehearsal would keep the slots from others until it is rolled back.
  if private.as_of() is not null then
    return false;
  end if;
  -- Skips slots that another transaction has locked, so nobody waits here.
  update private.dispatch_wakes as w
  set notified_at = clock_timestamp()
  where w.slot = (
    select f.slot
    from private.dispatch_wakes as f
    where f.notified_at <= clock_timestamp() - interval '10 milliseconds'
    limit 1
    for update skip locked
  );
  if found then
    perform private.send_wake();
  end if;
  return found;
end
$$;
comment on function private.wake_dispatcher() is
  'Wakes a dispatcher unless that was done three times within the last 10 ms; returns whether it did.';
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
  update private.dispatch_state as s
  set watched_until = clock_timestamp() + p_for
  where s.watched_until < clock_timestamp() + p_for
$$;
comment on function private.watch_queue(interval) is
  'Notes that a dispatcher looks for work itself for this long and once more a second later, so nobody needs to call one.';
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
  'When there is work for a dispatcher next, as currently known; null for never.';
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
  if p_is_ending then
    update private.dispatch_state as s set watched_until = '-infinity';
  end if;
  if private.next_ready_at(p_now) <= p_now then
    perform private.send_wake(
      -- Work that waits this long means that the running dispatcher is behind: one more helps.
      p_is_ending or exists (
        select from private.lanes as l
        where l.is_waiting and l.ready_at < p_now - interval '2 seconds'
      )
    );
    return true;
  end if;
  return false;
end
$$;
comment on function private.wake_if_due(timestamptz, boolean) is
  'Wakes a dispatcher when there is work for one now; returns whether there is. p_is_ending: the caller is a dispatcher that stops looking for work.';
grant execute on function private.wake_if_due(timestamptz, boolean) to signalpost_dispatch;
