-- Purpose: what happens when a destination is created or changed; rotation of its secret.

create or replace function private.stamp_destination()
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
    -- The service names itself; anyone else is known by their role.
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
comment on function private.stamp_destination() is
  'Keeps disabled_by, disabled_reason, disabled_at and updated_at in step with what was changed.';

create or replace function private.rotate_destination_secret(
  p_workspace_id uuid,
  p_destination_id uuid,
  p_ciphertext text,
  p_overlap interval default interval '24 hours',
  p_now timestamptz default clock_timestamp()
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if p_overlap is null or p_overlap not between interval '0' and interval '7 days' then
    raise sqlstate 'SP400' using
      message = 'Overlap must be between 0 and 7 days',
      column = 'overlap';
  end if;
  -- Two rotations at once would each leave a current secret.
  perform from public.destinations as d
  where d.workspace_id = p_workspace_id and d.id = p_destination_id
  for no key update;
  if not found then
    raise sqlstate 'SP404' using
      message = format('Cannot rotate the secret of destination "%s": it does not exist', p_destination_id);
  end if;
  -- An older secret never outlives the overlap it was given before.
  update private.destination_secrets as s
  set expires_at = least(s.expires_at, p_now + p_overlap)
  where s.workspace_id = p_workspace_id and s.destination_id = p_destination_id
    and coalesce(s.expires_at, 'infinity') > p_now;
  insert into private.destination_secrets (workspace_id, destination_id, ciphertext, created_at)
  values (p_workspace_id, p_destination_id, p_ciphertext, p_now);
end
$$;
comment on function private.rotate_destination_secret(uuid, uuid, text, interval, timestamptz) is
  'Makes p_ciphertext the current secret of a destination, its first or its next; earlier ones stay valid for p_overlap (0 to 7 days).';
grant execute on function private.rotate_destination_secret(uuid, uuid, text, interval, timestamptz)
  to signalpost_user, signalpost_key;

create or replace function private.follow_destination()
returns trigger
language plpgsql
volatile
-- Definer: members change destinations, and may not write lanes or publish.
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    update private.lanes as l set is_enabled = false, manual_due_at = null
    where l.workspace_id = old.workspace_id and l.destination_id = old.id;
    return null;
  end if;

  insert into private.lanes as l (
    workspace_id, destination_id, is_enabled, max_concurrency, rate_limit_per_second
  )
  values (new.workspace_id, new.id, new.enabled, new.max_concurrency, new.rate_limit_per_second)
  on conflict (workspace_id, destination_id) do update
  set
    is_enabled = excluded.is_enabled,
    max_concurrency = excluded.max_concurrency,
    rate_limit_per_second = excluded.rate_limit_per_second,
    limited_until = null;

  if tg_op = 'UPDATE' and new.enabled and not old.enabled then
    -- A second chance starts from zero; is_failing stays, so that a recovery is announced.
    update private.lanes as l
    set failures = 0, failing_since = null, probes = null, trips = 0, open_until = null,
      enabled_at = clock_timestamp()
    where l.workspace_id = new.workspace_id and l.destination_id = new.id;
    perform private.wake_dispatcher();
  elsif tg_op = 'UPDATE' and old.enabled and not new.enabled then
    update private.lanes as l set is_failing = true
    where l.workspace_id = new.workspace_id and l.destination_id = new.id;
    perform private.announce_destination(new, 'destination.disabled', new.disabled_reason);
  end if;
  return null;
end
$$;
comment on function private.follow_destination() is
  'Keeps the lane in step with its destination, and sends destination.disabled to the workspace''s other destinations.';

create or replace function private.follow_event_types()
returns trigger
language plpgsql
volatile
-- Definer: members change destinations, and may not write subscriptions.
security definer
set search_path = ''
as $$
begin
  delete from private.destination_event_types as s
  where s.workspace_id = new.workspace_id and s.destination_id = new.id
    and s.pattern <> all (new.event_types);
  insert into private.destination_event_types (workspace_id, pattern, destination_id)
  select distinct new.workspace_id, t.pattern, new.id
  from unnest(new.event_types) as t (pattern)
  on conflict do nothing;
  return null;
end
$$;
comment on function private.follow_event_types() is
  'Keeps private.destination_event_types in step with the event types of a destination.';

create or replace function private.announce_destination(
  p_destination public.destinations,
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
      p_destination.workspace_id,
      p_event_type,
      jsonb_build_object(
        'destination', jsonb_build_object(
          'id', p_destination.id, 'name', p_destination.name, 'url', p_destination.url
        ),
        'reason', p_reason
      )
    )],
    p_now
  )
$$;
comment on function private.announce_destination(public.destinations, text, text, timestamptz) is
  'Publishes a destination''s new state to the workspace''s other destinations.';
