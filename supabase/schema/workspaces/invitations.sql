-- Purpose: admins invite people by address; the invited person accepts or declines.
-- Locks:   the row of the workspace (no key update), then the invitation.

create or replace function private.invite_member(p_workspace_id uuid, p_email text, p_role text)
returns uuid
language plpgsql
volatile
-- Definer: the addresses of members are in auth.users, which no caller may read.
security definer
set search_path = ''
as $$
declare
  v_email text := lower(p_email);
  v_id uuid;
begin
  -- First, so that a workspace that is deleted meanwhile gets no invitation.
  perform from public.workspaces as w
  where w.id = (select private.acting_workspace_id('admin'))
  for no key update;
  perform private.require_writer(
    p_workspace_id, case when p_role = 'owner' then 'owner' else 'admin' end, null
  );
  -- Only members are looked up: the answer must not reveal which addresses have an account.
  if exists (
    select from public.workspace_members as m
    join auth.users as u on u.id = m.user_id
    where m.workspace_id = p_workspace_id and lower(u.email) = v_email
  ) then
    raise sqlstate 'SP409' using message = format('Cannot invite "%s": already a member', p_email);
  end if;
  -- A new invitation replaces one that is no longer open, and counts against the limit.
  delete from public.invitations as i
  where i.workspace_id = p_workspace_id and i.email = v_email
    and (i.accepted_by is not null or i.declined_at is not null or i.expires_at <= now());
  insert into public.invitations as i (workspace_id, email, role, invited_by)
  values (p_workspace_id, v_email, p_role, (select auth.uid()))
  on conflict on constraint invitations_workspace_id_email_key do nothing
  returning i.id into v_id;
  if v_id is null then
    raise sqlstate 'SP409' using message = format('Cannot invite "%s": already invited', p_email);
  end if;
  return v_id;
end
$$;
comment on function private.invite_member(uuid, text, text) is
  'Keeps an invitation for 30 days and returns its id, even if the address has no account. Raises SP409 for members and open invitations.';
grant execute on function private.invite_member(uuid, text, text) to signalpost_user;

create or replace function private.own_address()
returns text
language sql
stable
-- Definer: addresses are in auth.users, which no caller may read.
security definer
set search_path = ''
as $$
  -- The current address in Auth: a token may contain an earlier one.
  select lower(u.email)
  from auth.users as u
  where u.id = (select auth.uid()) and u.email_confirmed_at is not null and u.deleted_at is null
$$;
comment on function private.own_address() is
  'The confirmed e-mail address of the calling user, in lower case; null where there is none.';

create or replace function private.own_invitations(p_before uuid, p_limit integer)
returns table (
  id uuid,
  workspace_id uuid,
  workspace_name text,
  role text,
  invited_by text,
  created_at timestamptz,
  expires_at timestamptz
)
language sql
stable
-- Definer: the caller is not yet a member of the workspace.
security definer
set search_path = ''
as $$
  select
    i.id, i.workspace_id,
    (select w.name from public.workspaces as w where w.id = i.workspace_id), i.role,
    (select u.email from auth.users as u where u.id = i.invited_by and u.deleted_at is null),
    i.created_at, i.expires_at
  from public.invitations as i
  where i.email = (select private.own_address()) and i.id < p_before
    and i.accepted_by is null and i.declined_at is null and i.expires_at > now()
  order by i.id desc
  limit p_limit
$$;
comment on function private.own_invitations(uuid, integer) is
  'Up to p_limit open invitations of the calling user before the id, newest first, with the inviter''s address.';
grant execute on function private.own_invitations(uuid, integer) to signalpost_user;

create or replace function private.lock_own_invitation(p_id uuid)
returns public.invitations
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_invitation public.invitations;
begin
  perform from public.workspaces as w
  where w.id = (
    select i.workspace_id from public.invitations as i
    where i.id = p_id and i.email = (select private.own_address())
  )
  for no key update;
  select i.* into v_invitation
  from public.invitations as i
  where i.id = p_id and i.email = (select private.own_address())
    -- If several accounts have the address, the first to accept joins.
    and (i.accepted_by is null or i.accepted_by = (select auth.uid()))
  for update;
  if not found then
    raise sqlstate 'SP404' using message = 'Invitation does not exist';
  end if;
  return v_invitation;
end
$$;
comment on function private.lock_own_invitation(uuid) is
  'An invitation of the calling user, locked after its workspace as private.delete_workspace does. Raises SP404 for those of others.';

create or replace function private.audit_answer(
  p_invitation public.invitations,
  p_action text,
  p_entity_id uuid,
  p_request_id uuid
)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into public.audit_log (
    workspace_id, actor_kind, actor_id, actor_name, action, entity_id, details, request_id
  )
  values (
    p_invitation.workspace_id, 'user', (select auth.uid()), p_invitation.email, p_action,
    p_entity_id::text, jsonb_build_object('role', p_invitation.role), p_request_id
  )
$$;
comment on function private.audit_answer(public.invitations, text, uuid, uuid) is
  'Adds to the audit log of a workspace how its invitation was answered, and by whom.';

create or replace function private.accept_invitation(p_id uuid, p_request_id uuid)
returns uuid
language plpgsql
volatile
-- Definer: callers may not insert members; an invited user may become one.
security definer
set search_path = ''
as $$
declare
  v_user_id uuid := (select auth.uid());
  v_invitation public.invitations := private.lock_own_invitation(p_id);
begin
  if v_invitation.accepted_by is not null then
    return v_invitation.workspace_id;
  elsif v_invitation.declined_at is not null then
    raise sqlstate 'SP409' using
      message = 'Cannot accept the invitation: you declined it, ask for a new one';
  elsif v_invitation.expires_at <= now() then
    raise sqlstate 'SP409' using
      message = 'Cannot accept the invitation: it has ended, ask for a new one';
  elsif (select count(*) from public.workspace_members as m where m.user_id = v_user_id) >= 100 then
    raise sqlstate 'SP409' using
      message = 'Cannot accept the invitation: you belong to 100 workspaces already';
  end if;
  insert into public.workspace_members (workspace_id, user_id, role)
  values (v_invitation.workspace_id, v_user_id, v_invitation.role)
  -- A user who is already a member keeps their role.
  on conflict (workspace_id, user_id) do nothing;
  if found then
    perform private.audit_answer(v_invitation, 'member.join', v_user_id, p_request_id);
  end if;
  update public.invitations as i set accepted_by = v_user_id
  where i.workspace_id = v_invitation.workspace_id and i.id = p_id;
  return v_invitation.workspace_id;
end
$$;
comment on function private.accept_invitation(uuid, uuid) is
  'Makes the calling user a member of the workspace that invited their confirmed address. Returns its id. Repeating it changes nothing. Raises SP409 for an invitation that was declined or has expired.';
grant execute on function private.accept_invitation(uuid, uuid) to signalpost_user;

create or replace function private.decline_invitation(p_id uuid, p_request_id uuid)
returns void
language plpgsql
volatile
-- Definer: as for private.accept_invitation.
security definer
set search_path = ''
as $$
declare
  v_invitation public.invitations := private.lock_own_invitation(p_id);
begin
  if v_invitation.accepted_by is not null then
    raise sqlstate 'SP409' using
      message = 'Cannot decline the invitation: you accepted it, leave the workspace instead';
  elsif v_invitation.declined_at is not null then
    return;
  end if;
  update public.invitations as i set declined_at = now()
  where i.workspace_id = v_invitation.workspace_id and i.id = p_id;
  perform private.audit_answer(v_invitation, 'member.decline', p_id, p_request_id);
end
$$;
comment on function private.decline_invitation(uuid, uuid) is
  'Notes that the calling user does not want to join. Repeating it changes nothing. Raises SP409 for an invitation that was accepted.';
grant execute on function private.decline_invitation(uuid, uuid) to signalpost_user;
