-- Purpose: calls a worker of the function automation when runs are due.
-- Locks:   none that anybody waits for.

create or replace function private.post_automation_wake()
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
  if to_regprocedure('net.http_post(text, jsonb, jsonb, jsonb, integer)') is null then
    return;
  end if;
  select s.decrypted_secret into v_url
  from vault.decrypted_secrets as s where s.name = 'signalpost_dispatch_url';
  select s.decrypted_secret into v_key
  from vault.decrypted_secrets as s where s.name = 'signalpost_dispatch_key';
  if v_url is null or v_key is null then
    raise warning 'Cannot wake automation: Vault has no address for it, call ops.configure_dispatch(url, key)';
    return;
  end if;
  perform net.http_post(
    url => regexp_replace(v_url, '/[^/]+/?$', '/automation'),
    body => '{}',
    headers => jsonb_build_object('content-type', 'application/json', 'apikey', v_key),
    timeout_milliseconds => 5000
  );
exception when others then
  -- The schedule wakes it.
  raise warning 'Cannot wake automation: %', sqlerrm;
end
$$;
comment on function private.post_automation_wake() is
  'Calls the function automation through pg_net at commit, beside the dispatcher''s address.';

create or replace function private.wake_automation(p_is_needed boolean default false)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_is_watched boolean;
begin
  -- Another transaction that wakes has locked the row: one call is enough.
  select s.watched_until > clock_timestamp() into v_is_watched
  from private.automation_state as s
  where s.notified_at <= clock_timestamp() - interval '10 milliseconds'
  for update skip locked;
  if not found then
    return;
  end if;
  update private.automation_state as s set notified_at = clock_timestamp();
  perform pg_notify('automation', '');
  if v_is_watched and not p_is_needed then
    return;
  end if;
  update private.automation_state as s set posted_at = clock_timestamp()
  where s.posted_at <= clock_timestamp() - interval '1 second';
  if found and exists (
    select from private.dispatch_state as d where d.configured_for = private.database_identity()
  ) then
    perform private.post_automation_wake();
  end if;
end
$$;
comment on function private.wake_automation(boolean) is
  'Wakes a worker at commit: by NOTIFY, and by a request if none is running or p_is_needed. At most one request per second.';

create or replace function private.announce_runs(p_workspace_id uuid, p_due jsonb, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_first timestamptz;
begin
  with arrived as (
    insert into private.run_arrivals (workspace_id, journey_id, due_at)
    select p_workspace_id, (d ->> 0)::uuid, min((d ->> 1)::timestamptz)
    from jsonb_array_elements(coalesce(p_due, '[]')) as d
    where (d ->> 1)::timestamptz < 'infinity'
    group by 2
    returning due_at
  )
  select min(a.due_at) into v_first from arrived as a;
  if v_first <= p_now then
    perform private.wake_automation();
  end if;
end
$$;
comment on function private.announce_runs(uuid, jsonb, timestamptz) is
  'Notes when runs of journeys are due, a list of [journey, time], and wakes a worker for those that are.';

create or replace function private.next_run_at(p_now timestamptz default clock_timestamp())
returns timestamptz
language sql
stable
-- Definer: a worker asks, and may not read the tables.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
  select least(
    (select min(l.due_at) from private.journey_lanes as l where l.is_open),
    (select min(a.due_at) from (select n.due_at from private.run_arrivals as n limit 1000) as a),
    (select min(r.lease_until) from public.journey_runs as r where r.claim is not null),
    (select min(j.due_at) from private.journey_jobs as j),
    (select min(d.due_at) from private.journey_dates as d where d.due_at < 'infinity')
  )
$$;
comment on function private.next_run_at(timestamptz) is
  'When there is work for a worker next, as currently known; null or infinity for never.';
grant execute on function private.next_run_at(timestamptz) to signalpost_automation;

create or replace function private.wake_automation_if_due(
  p_now timestamptz default clock_timestamp(),
  p_is_ending boolean default false
)
returns boolean
language plpgsql
volatile
-- Definer: a worker that has to end calls the next one.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_next timestamptz;
begin
  if p_is_ending then
    update private.automation_state as s set watched_until = '-infinity';
  end if;
  v_next := private.next_run_at(p_now);
  if v_next <= p_now then
    perform private.wake_automation(p_is_ending or v_next < p_now - interval '2 seconds');
    return true;
  end if;
  return false;
end
$$;
comment on function private.wake_automation_if_due(timestamptz, boolean) is
  'Wakes a worker when runs are due now; returns whether there are any. p_is_ending: the caller is a worker that stops looking for work.';
grant execute on function private.wake_automation_if_due(timestamptz, boolean) to signalpost_automation;

create or replace function private.watch_runs(p_for interval)
returns void
language sql
volatile
-- Definer: a worker reports this, and may not write the table.
security definer
set search_path = ''
set jit = 'off'
as $$
  update private.automation_state as s
  set watched_until = clock_timestamp() + p_for
  where s.watched_until < clock_timestamp() + p_for
$$;
comment on function private.watch_runs(interval) is
  'Notes that a worker looks for due runs itself for this long, so nobody needs to call one.';
grant execute on function private.watch_runs(interval) to signalpost_automation;

create or replace view ops.journey_backlog
with (security_invoker = true) as
select
  l.workspace_id,
  l.journey_id,
  l.is_open,
  (
    select count(*) from public.journey_runs as r
    where r.workspace_id = l.workspace_id and r.journey_id = l.journey_id and r.state = 'active'
      and r.claim is null and r.due_at <= now()
  ) as due,
  (
    select min(r.due_at) from public.journey_runs as r
    where r.workspace_id = l.workspace_id and r.journey_id = l.journey_id and r.state = 'active'
      and r.claim is null and r.due_at <= now()
  ) as due_since,
  (
    select count(*) from public.journey_runs as r
    where r.workspace_id = l.workspace_id and r.journey_id = l.journey_id and r.claim is not null
  ) as claimed,
  (
    select count(*) from private.journey_jobs as j
    where j.workspace_id = l.workspace_id and j.journey_id = l.journey_id
  ) as jobs
from private.journey_lanes as l;
comment on view ops.journey_backlog is
  'Per journey the runs that are due and not moved yet, since when, those a worker has claimed, and unfinished jobs.';
