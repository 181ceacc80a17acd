-- Purpose: how a function that claims work learns that there is some: by NOTIFY, and by a
--          request through pg_net. private.work_wakes lists the functions.
-- Risk:    everything that creates work calls these functions, so nothing may wait here.

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
    'private.work_wakes'::regclass::oid,
    'private.dispatch_state'::regclass::oid
  )
$$;
comment on function private.database_identity() is
  'An id that differs between this database and a copy restored from a dump.';

create or replace function private.may_call_functions()
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_configured_for text := (select s.configured_for from private.dispatch_state as s);
begin
  if v_configured_for is null then
    if to_regprocedure('net.http_post(text, jsonb, jsonb, jsonb, integer)') is not null then
      raise warning 'Cannot wake a function: call ops.configure_dispatch(url, key) once';
    end if;
    return false;
  elsif v_configured_for <> private.database_identity() then
    raise warning 'Cannot wake a function: this database is a restored copy, call ops.configure_dispatch(url, key) for it';
    return false;
  end if;
  return true;
end
$$;
comment on function private.may_call_functions() is
  'True if ops.configure_dispatch was called in this database, so that it may call functions.';

create or replace function private.post_to_function(p_worker text)
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
    raise warning 'Cannot wake "%": Vault has no address for it, call ops.configure_dispatch(url, key)',
      p_worker;
    return;
  end if;
  perform net.http_post(
    -- The functions of a project differ in the last part of their address.
    url => case p_worker
      when 'webhook-dispatch' then v_url
      else regexp_replace(v_url, '[^/]+/*$', p_worker)
    end,
    body => '{}',
    headers => jsonb_build_object('content-type', 'application/json', 'apikey', v_key),
    -- The function responds at once. A long timeout would hold up all other requests of pg_net.
    timeout_milliseconds => 5000
  );
exception when others then
  -- The transaction that created the work must not fail because of this: the schedule wakes the function.
  raise warning 'Cannot wake "%": %', p_worker, sqlerrm;
end
$$;
comment on function private.post_to_function(text) is
  'Calls a function through pg_net at commit: webhook-dispatch at the address that ops.configure_dispatch was given, others next to it.';

create or replace function private.send_worker_wake(p_worker text, p_is_needed boolean default false)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform pg_notify(replace(p_worker, '-', '_'), '');
  if not private.may_call_functions() then
    return;
  elsif not p_is_needed and exists (
    select from private.work_wakes as w
    where w.worker = p_worker and w.slot = 0 and w.watched_until > clock_timestamp()
  ) then
    return;
  end if;
  -- The last request is still on its way to the function.
  update private.work_wakes as w
  set posted_at = clock_timestamp()
  where w.worker = p_worker and w.slot = (
    select f.slot
    from private.work_wakes as f
    where f.worker = p_worker and f.slot > 0 and not exists (
      select from private.work_wakes as r
      where r.worker = p_worker and r.posted_at > clock_timestamp() - interval '1 second'
    )
    limit 1
    for update skip locked
  );
  if found then
    perform private.post_to_function(p_worker);
  end if;
end
$$;
comment on function private.send_worker_wake(text, boolean) is
  'Wakes a function at commit: by NOTIFY, and by a request if none of its runs looks for work or p_is_needed. At most one request per second.';

create or replace function private.wake_worker(p_worker text)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- A rehearsal would keep the slots from others until it is rolled back.
  if private.as_of() is not null then
    return false;
  end if;
  -- Skips slots that another transaction has locked, so nobody waits here.
  update private.work_wakes as w
  set notified_at = clock_timestamp()
  where w.worker = p_worker and w.slot = (
    select f.slot
    from private.work_wakes as f
    where f.worker = p_worker and f.slot > 0 and f.notified_at <= clock_timestamp() - interval '10 milliseconds'
    limit 1
    for update skip locked
  );
  if found then
    perform private.send_worker_wake(p_worker);
  end if;
  return found;
end
$$;
comment on function private.wake_worker(text) is
  'Wakes a function of private.work_wakes unless that was done three times within the last 10 ms. Returns true if it did.';

create or replace function private.watch_work(p_worker text, p_for interval)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  update private.work_wakes as w
  set watched_until = clock_timestamp() + p_for
  where w.worker = p_worker and w.slot = 0 and w.watched_until < clock_timestamp() + p_for
$$;
comment on function private.watch_work(text, interval) is
  'Notes that a run of a function looks for work for this long, and once more a second later, so that nobody needs to call one.';

create or replace function private.pass_on_work(p_worker text, p_is_due boolean, p_is_late boolean, p_is_ending boolean)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if p_is_ending then
    update private.work_wakes as w set watched_until = '-infinity'
    where w.worker = p_worker and w.slot = 0;
  end if;
  if p_is_due then
    perform private.send_worker_wake(p_worker, p_is_ending or p_is_late);
  end if;
  return p_is_due;
end
$$;
comment on function private.pass_on_work(text, boolean, boolean, boolean) is
  'Wakes a function if work is due. p_is_late: work waits although a run looks for it, so one more helps. p_is_ending: the caller is a run that stops looking. Returns p_is_due.';
