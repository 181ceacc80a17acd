-- Purpose: the settings of a workspace about messages.

create or replace function private.send_settings_of(p_workspace_id uuid)
returns public.send_settings
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_settings public.send_settings;
begin
  select s.* into v_settings from public.send_settings as s where s.workspace_id = p_workspace_id;
  v_settings.workspace_id := p_workspace_id;
  v_settings.caps := coalesce(v_settings.caps, '[]');
  v_settings.track_opens := coalesce(v_settings.track_opens, true);
  v_settings.track_clicks := coalesce(v_settings.track_clicks, true);
  v_settings.campaign_confirm_above := coalesce(v_settings.campaign_confirm_above, 10000);
  v_settings.campaign_complaint_rate := coalesce(v_settings.campaign_complaint_rate, 0.5);
  return v_settings;
end
$$;
comment on function private.send_settings_of(uuid) is
  'The settings of a workspace about messages, with the defaults where it has none.';
grant execute on function private.send_settings_of(uuid) to signalpost_user, signalpost_key;

create or replace function private.quiet_until(
  p_quiet_hours jsonb,
  p_zone text,
  p_now timestamptz
)
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_from time := (p_quiet_hours ->> 'from')::time;
  v_to time := (p_quiet_hours ->> 'to')::time;
  v_today date := (p_now at time zone p_zone)::date;
  v_end timestamptz;
begin
  if v_from is null or v_to is null or v_from = v_to then
    return null;
  end if;
  -- Those that began today, and those that began yesterday.
  for v_day in 0 .. 1 loop
    v_end := private.first_instant(
      v_today - v_day + case when v_from < v_to then 0 else 1 end + v_to, p_zone
    );
    if p_now < v_end and p_now >= private.first_instant(v_today - v_day + v_from, p_zone) then
      return v_end;
    end if;
  end loop;
  return null;
end
$$;
comment on function private.quiet_until(jsonb, text, timestamptz) is
  'The end of the quiet hours that p_now is in, by the clocks of a zone; null outside of them.';

create or replace function ops.stop_sending(p_workspace_id uuid, p_reason text default null)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform from public.workspaces as w where w.id = p_workspace_id;
  if not found then
    raise sqlstate 'SP404' using message = 'Workspace does not exist';
  end if;
  insert into public.send_settings (workspace_id, stopped_at, stopped_reason)
  values (p_workspace_id, clock_timestamp(), p_reason)
  on conflict (workspace_id) do update
  set stopped_at = excluded.stopped_at, stopped_reason = excluded.stopped_reason;
  perform private.gate_senders(p_workspace_id);
end
$$;
comment on function ops.stop_sending(uuid, text) is
  'Stops all sends of a workspace immediately. Messages that are not with the provider yet wait until ops.resume_sending.';

create or replace function ops.resume_sending(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update public.send_settings as s set stopped_at = null, stopped_reason = null
  where s.workspace_id = p_workspace_id;
  if not found and not exists (select from public.workspaces as w where w.id = p_workspace_id) then
    raise sqlstate 'SP404' using message = 'Workspace does not exist';
  end if;
  perform private.gate_senders(p_workspace_id);
  perform private.wake_worker('send-dispatch');
end
$$;
comment on function ops.resume_sending(uuid) is
  'Ends ops.stop_sending. Waiting messages are checked again and sent, unless it is too late for them.';
