-- Purpose: a workspace keeps an owner, even when the account of the last one is deleted.
-- Locks:   the row of the workspace (no key update), while a member changes or an account is
--          deleted.
-- Risk:    an exception in the triggers on auth.users would keep accounts from being deleted.

create or replace function private.is_erased(p_workspace_id uuid)
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  select exists (
    select from private.erasures as e
    where e.workspace_id = p_workspace_id and e.customer_id is null
  )
$$;
comment on function private.is_erased(uuid) is 'True when the workspace was deleted and is being erased.';

create or replace function private.is_account(p_user_id uuid)
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  -- Auth can also keep the row of a deleted account, with its address hashed.
  select exists (select from auth.users as u where u.id = p_user_id and u.deleted_at is null)
$$;
comment on function private.is_account(uuid) is 'True when the account of a user exists and is not deleted.';

create or replace function private.keep_an_owner()
returns trigger
language plpgsql
volatile
-- Definer: callers who change a member may not lock the workspace.
security definer
set search_path = ''
as $$
begin
  if old.role <> 'owner' or (tg_op = 'UPDATE' and new.role = 'owner') then
    return coalesce(new, old);
  end if;
  -- Two owners who leave at once would each see the other one.
  perform from public.workspaces as w where w.id = old.workspace_id for no key update;
  if not found
    or private.is_erased(old.workspace_id)
    -- The account itself was deleted: Supabase Auth decides who may do that.
    or not private.is_account(old.user_id)
    or exists (
      select from public.workspace_members as m
      where m.workspace_id = old.workspace_id and m.role = 'owner' and m.user_id <> old.user_id
    )
  then
    return coalesce(new, old);
  end if;
  raise sqlstate 'SP409' using message = 'Cannot remove the last owner: make someone else an owner first';
end
$$;
comment on function private.keep_an_owner() is
  'Raises SP409 when the last owner would leave a workspace that is not deleted.';

create or replace function private.lock_acting_workspace()
returns trigger
language plpgsql
volatile
-- Definer: as for private.keep_an_owner.
security definer
set search_path = ''
as $$
begin
  perform from public.workspaces as w
  where w.id = nullif(current_setting('signalpost.acting_workspace_id', true), '')::uuid
  for no key update;
  return null;
end
$$;
comment on function private.lock_acting_workspace() is
  'Locks the workspace before its members, as private.leave_workspaces does; otherwise the two could wait for each other.';

create or replace function private.hand_over_workspace()
returns trigger
language plpgsql
volatile
-- Definer: runs as Supabase Auth, which has no rights on our tables.
security definer
set search_path = ''
as $$
declare
  v_reason jsonb := jsonb_build_object('reason', 'account_deleted');
  v_heir_id uuid;
begin
  if private.is_account(old.user_id)
    or not exists (select from public.workspaces as w where w.id = old.workspace_id)
  then
    return null;
  end if;
  perform private.write_system_audit(
    old.workspace_id, 'member.remove', old.user_id, v_reason || jsonb_build_object('role', old.role)
  );
  if old.role <> 'owner' or exists (
    select from public.workspace_members as m
    where m.workspace_id = old.workspace_id and m.role = 'owner'
  ) then
    return null;
  end if;
  -- Only admins: a member or viewer must not become the owner.
  select m.user_id into v_heir_id
  from public.workspace_members as m
  join auth.users as u on u.id = m.user_id
  where m.workspace_id = old.workspace_id and m.role = 'admin'
    and u.email_confirmed_at is not null and u.deleted_at is null
    and coalesce(u.banned_until, '-infinity') <= now()
  order by m.created_at, m.user_id
  limit 1
  for update of m;
  if found then
    update public.workspace_members as m set role = 'owner'
    where m.workspace_id = old.workspace_id and m.user_id = v_heir_id;
    perform private.write_system_audit(
      old.workspace_id, 'member.update', v_heir_id,
      v_reason || jsonb_build_object('role', 'owner', 'role_before', 'admin')
    );
  end if;
  return null;
end
$$;
comment on function private.hand_over_workspace() is
  'When the account of a member was deleted: adds that to the audit log and, if it was the last owner, makes the admin with the longest membership owner.';

create or replace function private.leave_workspaces()
returns trigger
language plpgsql
volatile
-- Definer: as for private.hand_over_workspace.
security definer
set search_path = ''
as $$
begin
  -- In one order, or accounts that share workspaces would wait for each other.
  perform from public.workspaces as w
  where w.id in (select m.workspace_id from public.workspace_members as m where m.user_id = old.id)
  order by w.id
  for no key update;
  if tg_op = 'UPDATE' then
    delete from public.workspace_members as m where m.user_id = old.id;
  end if;
  return old;
end
$$;
comment on function private.leave_workspaces() is
  'Locks the workspaces of an account that is deleted; if Auth keeps the row, deletes its memberships.';

create or replace view ops.ownerless_workspaces with (security_invoker = true) as
select
  w.id as workspace_id,
  w.name,
  w.created_at,
  (select count(*) from public.workspace_members as m where m.workspace_id = w.id) as members
from public.workspaces as w
where not exists (
    select from public.workspace_members as m where m.workspace_id = w.id and m.role = 'owner'
  )
  and not private.is_erased(w.id);
comment on view ops.ownerless_workspaces is
  'Workspaces whose last owner''s account was deleted when there was no admin to replace them: see ops.add_owner.';

create or replace function private.find_user(p_email text)
returns uuid
language sql
stable
security invoker
set search_path = ''
as $$
  select u.id
  from auth.users as u
  where lower(u.email) = lower(p_email)
    -- Anybody can sign up with an address that is not theirs.
    and u.email_confirmed_at is not null and u.deleted_at is null
  order by u.created_at, u.id
  limit 1
$$;
comment on function private.find_user(text) is
  'The account with this confirmed e-mail address; the oldest if there are several, as with single sign-on.';

create or replace function ops.add_owner(p_workspace_id uuid, p_email text)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_user_id uuid := private.find_user(p_email);
  v_role text;
begin
  perform from public.workspaces as w where w.id = p_workspace_id for no key update;
  if not found or private.is_erased(p_workspace_id) then
    raise sqlstate 'SP404' using
      message = format('Cannot add an owner: no workspace has the id "%s"', p_workspace_id);
  elsif v_user_id is null then
    raise sqlstate 'SP404' using
      message = format('Cannot add an owner: no account has the confirmed address "%s"', p_email);
  end if;
  select m.role into v_role
  from public.workspace_members as m
  where m.workspace_id = p_workspace_id and m.user_id = v_user_id;
  if v_role = 'owner' then
    return v_user_id;
  end if;
  insert into public.workspace_members (workspace_id, user_id, role)
  values (p_workspace_id, v_user_id, 'owner')
  on conflict (workspace_id, user_id) do update set role = 'owner';
  delete from public.invitations as i
  where i.workspace_id = p_workspace_id and i.email = lower(p_email);
  perform private.write_system_audit(
    p_workspace_id, case when v_role is null then 'member.invite' else 'member.update' end, v_user_id,
    jsonb_build_object('role', 'owner', 'role_before', v_role, 'reason', 'operator')
  );
  return v_user_id;
end
$$;
comment on function ops.add_owner(uuid, text) is
  'Makes the account with this confirmed address an owner of the workspace, even if it is not a member, and returns the id of the user.';
