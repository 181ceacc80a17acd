-- Purpose: who changed what and when.
-- Locks:   none on existing tables.
-- Risk:    none.
-- Undo:    drop public.audit_log and the functions.

create table public.audit_log (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  actor_kind text not null check (actor_kind in ('user', 'api_key', 'system')),
  -- Null: the service itself, or an operator in SQL.
  actor_id uuid check ((actor_id is null) = (actor_kind = 'system')),
  -- As it was at the time: an e-mail address, or the name of a key.
  actor_name text,
  action text not null,
  entity_id text,
  details jsonb not null default '{}',
  request_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, created_at, id)
);
comment on table public.audit_log is
  'Who changed what, append-only. Holds ids and names of fields, never their values or a customer''s data.';
create index audit_log_action_idx
  on public.audit_log (workspace_id, action, created_at desc, id desc);
create index audit_log_actor_idx
  on public.audit_log (workspace_id, actor_id, created_at desc, id desc);
alter table public.audit_log enable row level security;
grant select on public.audit_log to signalpost_user;

create policy "Admins can read the audit log" on public.audit_log
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids(array['owner', 'admin'])));

create function private.write_audit(
  p_action text,
  p_entity_id text,
  p_details jsonb,
  p_request_id uuid
)
returns void
language plpgsql
volatile
-- Definer: no caller may write to the log, only add what they did, and only as themselves.
security definer
set search_path = ''
as $$
declare
  v_key_id uuid := nullif(current_setting('signalpost.api_key_id', true), '')::uuid;
  v_workspace_id uuid := coalesce(private.acting_workspace_id('viewer'), private.key_workspace_id());
begin
  if v_workspace_id is null then
    raise sqlstate 'SP403' using message = 'Cannot write to the audit log: nobody acts';
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
  'Adds what this transaction does to the audit log of the workspace it acts in, under the name of the session or key it acts for.';
grant execute on function private.write_audit(text, text, jsonb, uuid) to signalpost_user, signalpost_key;

create function private.write_system_audit(
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
  'Adds to the audit log what no caller of the api did: the service itself, or an operator.';
