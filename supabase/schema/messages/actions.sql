-- Purpose: what a person does with a message that waits or was missed: try it now, or cancel it.
-- Locks:   lanes before queue rows, lanes in the order of their destination's id.

create or replace function private.require_message(p_workspace_id uuid, p_message_id uuid)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'deliveries:write');
  perform from public.webhook_messages as m
  where m.workspace_id = p_workspace_id and m.id = p_message_id
    and m.created_at = private.uuid_v7_time(p_message_id);
  if not found then
    raise sqlstate 'SP404' using message = 'Message does not exist';
  end if;
end
$$;
comment on function private.require_message(uuid, uuid) is
  'Raises SP403 unless the caller may change deliveries of the workspace, SP404 unless this message is stored.';

create or replace function private.forget_missed(
  p_workspace_id uuid,
  p_message_id uuid,
  p_destination_ids uuid[]
)
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  -- First, because a dispatcher may be moving the message from here to the tables below.
  with changed as (
    update private.fan_outs as f
    set
      destination_ids = array(
        select i.id from unnest(f.destination_ids) as i (id) where i.id <> all (p_destination_ids)
      ),
      missed_ids = array(
        select i.id from unnest(f.missed_ids) as i (id) where i.id <> all (p_destination_ids)
      )
    from private.fan_outs as o
    where f.workspace_id = p_workspace_id and f.message_id = p_message_id
      and o.workspace_id = f.workspace_id and o.message_id = f.message_id
    returning o.destination_ids || o.missed_ids as ids
  )
  select coalesce(array_agg(i.id), '{}') into v_ids
  from changed as c
  cross join unnest(c.ids) as i (id)
  where i.id = any (p_destination_ids);
  with deleted as (
    delete from public.missed_messages as m
    where m.workspace_id = p_workspace_id and m.destination_id = any (p_destination_ids)
      and m.message_created_at = private.uuid_v7_time(p_message_id)
      and m.message_id = p_message_id
    returning m.destination_id
  )
  select v_ids || coalesce(array_agg(d.destination_id), '{}') into v_ids from deleted as d;
  return v_ids;
end
$$;
comment on function private.forget_missed(uuid, uuid, uuid[]) is
  'Removes a message from what these destinations missed, and from what is still to be queued for them. Returns the destinations it was removed for.';

create or replace function private.try_message_now(
  p_workspace_id uuid,
  p_message_id uuid,
  p_destination_id uuid default null,
  p_now timestamptz default clock_timestamp()
)
returns uuid[]
language plpgsql
volatile
-- Definer: changes the queue, which callers may not do directly.
security definer
set search_path = ''
as $$
declare
  v_action text := format('try message "%s" now', p_message_id);
  v_states private.message_state[];
  v_disabled integer;
  v_destination public.destinations;
  v_ids uuid[] := '{}';
begin
  perform private.require_message(p_workspace_id, p_message_id);
  v_states := array(
    select s::private.message_state
    from private.read_message_states(p_workspace_id, p_message_id) as s
    where s.destination_id = coalesce(p_destination_id, s.destination_id)
      and s.state <> 'delivered'
  );
  for v_destination in
    select d.*
    from unnest(v_states) as s
    join public.destinations as d on d.workspace_id = p_workspace_id and d.id = s.destination_id
    where d.enabled
    order by d.id
  loop
    v_ids := v_ids || v_destination.id;
    -- An attempt that is in progress is the one that is asked for.
    if not exists (
      select from unnest(v_states) as s
      where s.destination_id = v_destination.id and s.is_in_progress
    ) then
      perform private.forget_missed(p_workspace_id, p_message_id, array[v_destination.id]);
      perform private.queue_again(v_destination, array[p_message_id], true, p_now);
      if not exists (
        select from private.webhook_queue as q
        where q.workspace_id = p_workspace_id and q.destination_id = v_destination.id
          and q.message_id = p_message_id
      ) then
        raise sqlstate 'SP409' using
          message = format('Cannot %s: it was erased or is no longer kept', v_action);
      end if;
    end if;
  end loop;
  if cardinality(v_ids) = 0 then
    select count(*) into v_disabled
    from unnest(v_states) as s
    join public.destinations as d on d.workspace_id = p_workspace_id and d.id = s.destination_id;
    raise sqlstate 'SP409' using message = format('Cannot %s: %s', v_action, case
      when v_disabled > 0 then 'its destination is disabled'
      else 'no destination waits for it'
    end);
  end if;
  delete from public.canceled_messages as c
  where c.workspace_id = p_workspace_id and c.destination_id = any (v_ids)
    and c.message_created_at = private.uuid_v7_time(p_message_id) and c.message_id = p_message_id;
  return v_ids;
end
$$;
comment on function private.try_message_now(uuid, uuid, uuid, timestamptz) is
  'Sends a message immediately to one destination or to each one that has not received it, even if it was given up, canceled or missed, or the circuit breaker is open. Starts a new run of attempts. Returns the destinations. Raises SP409 if none of them is enabled.';
grant execute on function private.try_message_now(uuid, uuid, uuid, timestamptz)
  to signalpost_user, signalpost_key;

create or replace function private.cancel_message(
  p_workspace_id uuid,
  p_message_id uuid,
  p_destination_id uuid default null,
  p_now timestamptz default clock_timestamp()
)
returns uuid[]
language plpgsql
volatile
-- Definer: changes the queue, which callers may not do directly.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_matched uuid[];
  v_ids uuid[];
begin
  perform private.require_message(p_workspace_id, p_message_id);
  v_matched := array(
    select m.id from unnest(private.matched_destinations(
      p_workspace_id, p_message_id, private.uuid_v7_time(p_message_id)
    )) as m (id)
    where m.id = coalesce(p_destination_id, m.id)
  );
  perform private.lock_lanes(array_fill(p_workspace_id, array[cardinality(v_matched)]), v_matched);
  v_ids := private.forget_missed(p_workspace_id, p_message_id, v_matched);
  with deleted as (
    delete from private.webhook_queue as q
    where q.workspace_id = p_workspace_id and q.destination_id = any (v_matched)
      and q.message_id = p_message_id and q.claim is null
    returning q.destination_id
  )
  select v_ids || coalesce(array_agg(d.destination_id), '{}') into v_ids from deleted as d;
  if cardinality(v_ids) = 0 then
    raise sqlstate 'SP409' using message = format('Cannot cancel message "%s": %s', p_message_id, case
      when exists (
        select from private.webhook_queue as q
        where q.workspace_id = p_workspace_id and q.destination_id = any (v_matched)
          and q.message_id = p_message_id
      ) then 'it is being sent'
      else 'no destination waits for it'
    end);
  end if;
  insert into public.canceled_messages as c (
    workspace_id, destination_id, message_id, message_created_at, canceled_at
  )
  select distinct
    p_workspace_id, i.id, p_message_id, private.uuid_v7_time(p_message_id),
    date_trunc('milliseconds', p_now)
  from unnest(v_ids) as i (id)
  on conflict (workspace_id, destination_id, message_created_at, message_id) do update
  set canceled_at = excluded.canceled_at;
  return array(select distinct i.id from unnest(v_ids) as i (id));
end
$$;
comment on function private.cancel_message(uuid, uuid, uuid, timestamptz) is
  'Takes a message out of the queue of one destination or of all, and from what they missed. Returns the destinations it was canceled for. An attempt that is in progress is not canceled: SP409 if there is nothing else.';
grant execute on function private.cancel_message(uuid, uuid, uuid, timestamptz)
  to signalpost_user, signalpost_key;
