-- Purpose: replay, recovery, discarding and the test ping, for an operator in SQL and for the api.

create or replace function private.replayable_destination(p_action text, p_destination_id uuid)
returns public.destinations
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_destination public.destinations;
begin
  select * into v_destination from public.destinations as d where d.id = p_destination_id;
  if not found then
    raise sqlstate 'SP404' using
      message = format('Cannot %s: no destination has the id "%s"', p_action, p_destination_id);
  elsif not v_destination.enabled then
    raise sqlstate 'SP409' using
      message = format('Cannot %s: destination "%s" is disabled', p_action, p_destination_id);
  end if;
  return v_destination;
end
$$;
comment on function private.replayable_destination(text, uuid) is
  'The destination when it exists (else SP404) and is enabled (else SP409).';

create or replace function private.send_again(
  p_workspace_id uuid,
  p_delivery_id uuid,
  p_now timestamptz default clock_timestamp()
)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_action text := format('replay delivery "%s"', p_delivery_id);
  v_delivery public.deliveries;
begin
  select * into v_delivery
  from public.deliveries as d
  where d.workspace_id = p_workspace_id and d.id = p_delivery_id
    and d.attempted_at = private.uuid_v7_time(p_delivery_id);
  if not found then
    raise sqlstate 'SP404' using message = format('Cannot %s: it does not exist', v_action);
  elsif not exists (select from public.destinations as d where d.id = v_delivery.destination_id) then
    raise sqlstate 'SP409' using message = format('Cannot %s: its destination was deleted', v_action);
  elsif not exists (
    select from public.webhook_messages as m
    where m.workspace_id = v_delivery.workspace_id and m.id = v_delivery.message_id
      and m.created_at = v_delivery.message_created_at and m.body is not null
  ) then
    raise sqlstate 'SP409' using
      message = format('Cannot %s: its message was erased or is no longer kept', v_action);
  end if;
  perform private.queue_again(
    private.replayable_destination(v_action, v_delivery.destination_id),
    array[v_delivery.message_id], true, p_now
  );
  return v_delivery.message_id;
end
$$;
comment on function private.send_again(uuid, uuid, timestamptz) is
  'ops.replay_delivery where the workspace is known.';

create or replace function ops.replay_delivery(
  p_delivery_id uuid,
  p_now timestamptz default clock_timestamp()
)
returns uuid
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select private.send_again((
    -- Every index of the log begins with the workspace, so one lookup per workspace reads least.
    select w.id
    from public.workspaces as w
    cross join lateral (
      select from public.deliveries as d
      where d.workspace_id = w.id and d.id = p_delivery_id
        and d.attempted_at = private.uuid_v7_time(p_delivery_id)
      limit 1
    ) as d
    limit 1
  ), p_delivery_id, p_now)
$$;
comment on function ops.replay_delivery(uuid, timestamptz) is
  'Sends the message of a delivery to its destination again immediately, and returns the message''s id. May be repeated.';

create or replace function private.count_failed(
  p_job public.jobs,
  out matched integer,
  out is_exact boolean
)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
-- As for failed_messages.
set enable_sort = 'off'
as $$
declare
  -- A request cannot wait for all of a long log.
  v_limit constant integer := 10000;
  v_start record;
begin
  -- From the newest back: most older attempts were followed by another one.
  select d.attempted_at, d.id into v_start
  from public.deliveries as d
  where d.workspace_id = p_job.workspace_id and d.destination_id = p_job.destination_id
    and d.attempted_at >= p_job.since and d.attempted_at < p_job.until
    and not d.ok
  order by d.attempted_at desc, d.id desc
  offset v_limit
  limit 1;
  is_exact := not found;
  p_job.cursor_at := coalesce(v_start.attempted_at, '-infinity');
  p_job.cursor_id := coalesce(v_start.id, '00000000-0000-0000-0000-000000000000');
  matched := (
    select cardinality(f.message_ids) from private.failed_messages(p_job, v_limit) as f
  );
end
$$;
comment on function private.count_failed(public.jobs) is
  'Counts the messages that a replay job would send again. It reads the newest 10,000 failed attempts; if there are more, the count may be too low.';

create or replace function ops.replay_failed(
  p_destination_id uuid,
  p_since timestamptz,
  p_until timestamptz default clock_timestamp(),
  out job_id uuid,
  out matched integer
)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_destination public.destinations :=
    private.replayable_destination('replay failed deliveries', p_destination_id);
  v_job public.jobs;
begin
  v_job.workspace_id := v_destination.workspace_id;
  v_job.destination_id := p_destination_id;
  v_job.kind := 'replay';
  v_job.since := p_since;
  v_job.until := p_until;
  v_job.total := (select c.matched from private.count_failed(v_job) as c);
  job_id := private.create_job(v_job);
  matched := v_job.total;
end
$$;
comment on function ops.replay_failed(uuid, timestamptz, timestamptz) is
  'Resends every message that failed at the destination from p_since to before p_until and was not delivered since. Returns the job that does it and the number of messages it covers, counted in the newest 10,000 failed attempts.';

create or replace function ops.recover_missed(
  p_destination_id uuid,
  p_since timestamptz default '-infinity',
  out job_id uuid,
  out matched integer
)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_destination public.destinations :=
    private.replayable_destination('recover missed messages', p_destination_id);
  v_job public.jobs;
begin
  v_job.workspace_id := v_destination.workspace_id;
  v_job.destination_id := p_destination_id;
  v_job.kind := 'recover';
  v_job.since := p_since;
  v_job.until := 'infinity';
  select count(*) into v_job.total
  from public.missed_messages as m
  where m.workspace_id = v_job.workspace_id and m.destination_id = p_destination_id
    and m.message_created_at >= p_since;
  job_id := private.create_job(v_job);
  matched := v_job.total;
end
$$;
comment on function ops.recover_missed(uuid, timestamptz) is
  'Sends every message that matched the destination while it was disabled, since p_since. Returns the job that does it and the number of messages it covers.';

create or replace function ops.discard_missed(
  p_destination_id uuid,
  p_until timestamptz default clock_timestamp(),
  out job_id uuid,
  out matched integer
)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_job public.jobs;
begin
  v_job.workspace_id := (
    select d.workspace_id from public.destinations as d where d.id = p_destination_id
  );
  if v_job.workspace_id is null then
    raise sqlstate 'SP404' using message = format(
      'Cannot discard missed messages: no destination has the id "%s"', p_destination_id
    );
  end if;
  v_job.destination_id := p_destination_id;
  v_job.kind := 'discard';
  v_job.since := '-infinity';
  v_job.until := p_until;
  select count(*) into v_job.total
  from public.missed_messages as m
  where m.workspace_id = v_job.workspace_id and m.destination_id = p_destination_id
    and m.message_created_at < p_until;
  job_id := private.create_job(v_job);
  matched := v_job.total;
end
$$;
comment on function ops.discard_missed(uuid, timestamptz) is
  'Discards every message that the destination missed before p_until. They can no longer be recovered, only tried one by one. Returns the job that does it and the number of messages it covers.';

create or replace function ops.send_test_ping(
  p_destination_id uuid,
  p_now timestamptz default clock_timestamp()
)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_workspace_id uuid := (select d.workspace_id from public.destinations as d where d.id = p_destination_id);
  v_payload jsonb := jsonb_build_object(
    'destination_id', p_destination_id,
    'message', 'This is a test of the destination. If its signature verifies, the receiver is set up.'
  );
begin
  if v_workspace_id is null then
    raise sqlstate 'SP404' using
      message = format('Cannot send a test ping: no destination has the id "%s"', p_destination_id);
  end if;
  return (private.store_messages(
    array[private.service_message(v_workspace_id, 'ping', v_payload, p_destination_id)],
    '{}', p_now, 'test'
  ))[1];
end
$$;
comment on function ops.send_test_ping(uuid, timestamptz) is
  'Sends one ping to the destination, even if it is disabled, and returns the message''s id.';
