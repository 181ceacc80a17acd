-- Purpose: how a user comes to be in a workspace: by a confirmed address, or by making one.
-- Locks:   a trigger on auth.users, which Supabase Auth owns: it must never fail for long.
-- Risk:    an exception in private.welcome_user would keep people from signing up.
-- Undo:    drop the trigger and the functions.

create function private.create_workspace(p_name text)
returns uuid
language plpgsql
volatile
-- Definer: nobody may insert workspaces or members; a user may make one and become its owner.
security definer
set search_path = ''
as $$
declare
  v_user_id uuid := (select auth.uid());
  v_id uuid;
begin
  if v_user_id is null then
    raise sqlstate 'SP403' using message = 'Only a user can create a workspace';
  elsif (select count(*) from public.workspace_members as m where m.user_id = v_user_id) >= 100 then
    raise sqlstate 'SP409' using message = 'Cannot create workspace: you belong to 100 already';
  end if;
  insert into public.workspaces (name) values (p_name) returning id into v_id;
  insert into public.workspace_members (workspace_id, user_id, role)
  values (v_id, v_user_id, 'owner');
  return v_id;
end
$$;
comment on function private.create_workspace(text) is
  'Makes a workspace that the calling user owns; returns its id. SP409 at 100 workspaces a user.';
grant execute on function private.create_workspace(text) to authenticated;

create function private.accept_invitations(p_user_id uuid, p_email text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(private.address_lock(p_email));
  with taken as (
    delete from public.invitations as i
    where i.email = lower(p_email) and i.expires_at > now()
    returning i.workspace_id, i.role
  ),
  joined as (
    insert into public.workspace_members as m (workspace_id, user_id, role)
    select t.workspace_id, p_user_id, t.role from taken as t
    -- Who is in already keeps the role they have.
    on conflict (workspace_id, user_id) do nothing
    returning m.workspace_id, m.role
  )
  insert into public.audit_log (
    workspace_id, actor_kind, actor_id, actor_name, action, entity_id, details
  )
  select
    j.workspace_id, 'user', p_user_id, p_email, 'member.join', p_user_id::text,
    jsonb_build_object('role', j.role)
  from joined as j;
end
$$;
comment on function private.accept_invitations(uuid, text) is
  'Makes the user a member wherever the address, confirmed as theirs, is invited, and says so in the audit log.';

create function private.welcome_user()
returns trigger
language plpgsql
volatile
-- Definer: runs as Supabase Auth, which has no rights on our tables.
security definer
set search_path = ''
as $$
declare
  v_is_new boolean :=
    tg_op = 'INSERT' or old.email_confirmed_at is null or coalesce(old.email, '') = '';
  v_id uuid;
begin
  -- Anonymous sign-ins and phone numbers have no address, hence no invitation and no workspace.
  if coalesce(new.email, '') = '' or not (v_is_new or new.email <> old.email) then
    return null;
  end if;
  perform private.accept_invitations(new.id, new.email);
  if v_is_new and not exists (
    select from public.workspace_members as m where m.user_id = new.id
  ) then
    insert into public.workspaces (name)
    values (left(split_part(new.email, '@', 1), 150) || '''s workspace')
    returning id into v_id;
    insert into public.workspace_members (workspace_id, user_id, role)
    values (v_id, new.id, 'owner');
  end if;
  return null;
end
$$;
comment on function private.welcome_user() is
  'Once an address is confirmed, its user joins the workspaces it is invited to; a new user who is in none gets a first one.';
-- Auth inserts an account before its address is confirmed, also where it asks for no confirmation.
create trigger users_welcome after insert or update of email, email_confirmed_at on auth.users
  for each row when (new.email_confirmed_at is not null and new.deleted_at is null)
  execute function private.welcome_user();
