-- Purpose: what happens when a sender is created, changed or deleted.
-- Locks:   the lane of the sender.

create or replace function private.stamp_sender()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if new.enabled then
    new.disabled_reason := null;
    new.disabled_by := null;
    new.disabled_at := null;
  else
    new.disabled_by := coalesce(new.disabled_by, case current_user
      when 'signalpost_user' then 'member'
      when 'signalpost_key' then 'key'
      else 'operator'
    end);
    new.disabled_reason := coalesce(new.disabled_reason, case new.disabled_by
      when 'member' then 'Disabled by a member'
      when 'key' then 'Disabled via API'
      when 'operator' then 'Disabled by an operator'
      else 'Disabled by the service'
    end);
    new.disabled_at := coalesce(new.disabled_at, clock_timestamp());
  end if;
  if tg_op = 'UPDATE' and new is distinct from old then
    new.updated_at := clock_timestamp();
  end if;
  return new;
end
$$;
comment on function private.stamp_sender() is
  'Keeps disabled_by, disabled_reason, disabled_at and updated_at in step with what was changed.';

create or replace function private.follow_sender()
returns trigger
language plpgsql
volatile
-- Definer: members change senders, and may not write lanes.
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    -- The waiting messages are handed out to be skipped, as fast as possible.
    update private.send_lanes as l
    set
      is_deleted = true, is_enabled = true, max_concurrency = 100, rate_per_second = null,
      limited_until = null, paused_until = null, open_until = null, probes = null
    where l.workspace_id = old.workspace_id and l.sender_id = old.id;
    perform private.wake_worker('send-dispatch');
    return null;
  end if;

  insert into private.send_lanes as l (
    workspace_id, sender_id, is_enabled, max_concurrency, rate_per_second
  )
  values (
    new.workspace_id, new.id,
    new.enabled and (private.send_settings_of(new.workspace_id)).stopped_at is null,
    new.max_concurrency, new.rate_per_second
  )
  on conflict (workspace_id, sender_id) do update
  set
    is_enabled = excluded.is_enabled,
    max_concurrency = excluded.max_concurrency,
    rate_per_second = excluded.rate_per_second,
    limited_until = null;

  if tg_op = 'UPDATE' then
    -- After a change the sender is tried at once; is_failing stays, so that a recovery is announced.
    update private.send_lanes as l
    set
      failures = 0, failing_since = null, probes = null, trips = 0, open_until = null,
      paused_until = null,
      retry_cursor = case when new.enabled then '00000000-0000-0000-0000-000000000000'::uuid end,
      enabled_at = case when new.enabled and not old.enabled then clock_timestamp() else l.enabled_at end
    where l.workspace_id = new.workspace_id and l.sender_id = new.id;
    perform private.retry_sends_now(new.workspace_id, new.id, 1000);
    perform private.wake_worker('send-dispatch');
  end if;
  return null;
end
$$;
comment on function private.follow_sender() is
  'Keeps the lane in step with its sender.';

create or replace function private.gate_senders(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_is_stopped boolean := (private.send_settings_of(p_workspace_id)).stopped_at is not null;
begin
  perform from private.send_lanes as l
  where l.workspace_id = p_workspace_id
  order by l.sender_id
  for update;
  update private.send_lanes as l
  set is_enabled = l.is_deleted or (not v_is_stopped and coalesce(o.enabled, false))
  from private.send_lanes as k
  left join public.senders as o on o.workspace_id = k.workspace_id and o.id = k.sender_id
  where l.workspace_id = p_workspace_id
    and k.workspace_id = l.workspace_id and k.sender_id = l.sender_id;
end
$$;
comment on function private.gate_senders(uuid) is
  'Opens or closes the lanes of a workspace, by whether it was stopped and which senders are enabled.';

create or replace function private.takes_idempotency_key(p_provider text)
returns boolean
language sql
immutable
security invoker
set search_path = ''
as $$
  select p_provider = 'resend'
$$;
comment on function private.takes_idempotency_key(text) is
  'True for a provider that sends only one message for a key, however often it gets the key.';

create or replace function private.find_sender(p_workspace_id uuid, p_sender_id uuid)
returns table (
  name text,
  provider text,
  from_address text,
  reply_to text,
  config jsonb,
  ciphertext text
)
language sql
stable
-- Definer: the role of send-dispatch reads no table.
security definer
set search_path = ''
set jit = 'off'
as $$
  select o.name, o.provider, o.from_address, o.reply_to, o.config, k.ciphertext
  from public.senders as o
  left join private.sender_secrets as k on k.workspace_id = o.workspace_id and k.sender_id = o.id
  where o.workspace_id = p_workspace_id and o.id = p_sender_id
$$;
comment on function private.find_sender(uuid, uuid) is
  'A sender with its credentials as ciphertext, for a test call.';
grant execute on function private.find_sender(uuid, uuid) to signalpost_send;

create or replace function private.announce_sender(
  p_sender public.senders,
  p_event_type text,
  p_reason text,
  p_now timestamptz default clock_timestamp()
)
returns uuid[]
language sql
volatile
security invoker
set search_path = ''
as $$
  select private.publish_messages(
    array[private.service_message(
      p_sender.workspace_id,
      p_event_type,
      jsonb_build_object(
        'sender', jsonb_build_object('id', p_sender.id, 'name', p_sender.name),
        'reason', p_reason
      )
    )],
    p_now
  )
$$;
comment on function private.announce_sender(public.senders, text, text, timestamptz) is
  'Publishes a sender''s new state to the destinations of its workspace.';
