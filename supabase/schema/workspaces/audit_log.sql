-- Purpose: the log of who changed what and when.

create or replace function private.write_audit(
  p_action text,
  p_entity_id text,
  p_details jsonb,
  p_request_id uuid
)
returns void
language plpgsql
volatile
-- Definer: callers may not write to the log, only add their own actions.
security definer
set search_path = ''
as $$
declare
  v_key_id uuid := nullif(current_setting('signalpost.api_key_id', true), '')::uuid;
  v_workspace_id uuid := coalesce(private.acting_workspace_id('viewer'), private.key_workspace_id());
begin
  if v_workspace_id is null then
    raise sqlstate 'SP403' using message = 'Cannot write to the audit log: no actor is set';
  end if;
  insert into public.audit_log (
    workspace_id, actor_kind, actor_id, actor_name, action, entity_id, details, request_id
  )
  values (
    v_workspace_id,
    case when v_key_id is null then 'user' else 'api_key' end,
    coalesce(v_key_id, (select auth.uid())),
    case
      when v_key_id is null then nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
      else (select k.name from private.api_keys as k where k.id = v_key_id)
    end,
    p_action, p_entity_id, p_details, p_request_id
  );
end
$$;
comment on function private.write_audit(text, text, jsonb, uuid) is
  'Adds an entry to the audit log of the workspace this transaction acts in, in the name of its session or key.';
grant execute on function private.write_audit(text, text, jsonb, uuid) to signalpost_user, signalpost_key;

create or replace function private.write_system_audit(
  p_workspace_id uuid,
  p_action text,
  p_entity_id uuid,
  p_details jsonb
)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into public.audit_log (workspace_id, actor_kind, action, entity_id, details)
  values (p_workspace_id, 'system', p_action, p_entity_id::text, p_details)
$$;
comment on function private.write_system_audit(uuid, text, uuid, jsonb) is
  'Adds an entry to the audit log for the service itself, or for an operator.';
