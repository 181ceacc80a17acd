-- Purpose: the workspaces that a user creates: the first on signing up, others on demand.
-- Risk:    an exception in private.welcome_user would keep people from signing up.

create or replace function private.require_room_of_user(p_user_id uuid, p_workspace_id uuid)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_plan public.plans;
begin
  select p.* into v_plan
  from public.workspaces as w
  join public.plans as p on p.id = w.plan_id
  where w.id = p_workspace_id;
  -- Counts workspaces by creator, not by owner, so that handing them over does not allow more.
  if v_plan.max_workspaces_per_user < (
    select count(*)
    from public.workspaces as w
    where w.created_by = p_user_id and w.plan_id = v_plan.id and not private.is_erased(w.id)
  ) then
    raise sqlstate 'SPLIM' using message = format(
      'Cannot create workspace: the plan "%s" allows %s created by one user', v_plan.id,
      case v_plan.max_workspaces_per_user
        when 1 then '1 workspace' else v_plan.max_workspaces_per_user || ' workspaces'
      end
    );
  end if;
end
$$;
comment on function private.require_room_of_user(uuid, uuid) is
  'Raises SPLIM when the user created more workspaces of this one''s plan than the plan allows; deleted ones do not count.';

create or replace function private.create_workspace(p_name text)
returns uuid
language plpgsql
volatile
-- Definer: callers may not insert workspaces; a user may create one and become its owner.
security definer
set search_path = ''
as $$
declare
  v_user_id uuid := (select auth.uid());
  v_id uuid;
begin
  if v_user_id is null then
    raise sqlstate 'SP403' using message = 'Only a user can create a workspace';
  end if;
  -- Without the lock, two calls at once would both be within the limit.
  perform pg_advisory_xact_lock(hashtextextended(v_user_id::text, 12));
  insert into public.workspaces (name, created_by) values (p_name, v_user_id) returning id into v_id;
  perform private.require_room_of_user(v_user_id, v_id);
  insert into public.workspace_members (workspace_id, user_id, role)
  values (v_id, v_user_id, 'owner');
  return v_id;
end
$$;
comment on function private.create_workspace(text) is
  'Creates a workspace that the calling user owns. Returns its id. Raises SPLIM over the limit of the plan.';
grant execute on function private.create_workspace(text) to signalpost_user;

create or replace function private.welcome_user()
returns trigger
language plpgsql
volatile
-- Definer: runs as Supabase Auth, which has no rights on our tables.
security definer
set search_path = ''
as $$
declare
  v_id uuid;
begin
  -- Anonymous sign-ins and phone numbers have no address, hence no workspace.
  if coalesce(new.email, '') = ''
    -- Users sign up in the first cell; other cells have copies of their accounts.
    or private.cell_name() <> '00'
    or (tg_op = 'UPDATE' and old.email_confirmed_at is not null and coalesce(old.email, '') <> '')
    or exists (select from public.workspace_members as m where m.user_id = new.id)
  then
    return null;
  end if;
  insert into public.workspaces (name, created_by)
  values (left(split_part(new.email, '@', 1), 150) || '''s workspace', new.id)
  returning id into v_id;
  insert into public.workspace_members (workspace_id, user_id, role)
  values (v_id, new.id, 'owner');
  return null;
end
$$;
comment on function private.welcome_user() is
  'Gives a new user a first workspace once the address is confirmed. Invitations change nothing before they are accepted.';
