-- Purpose: how a user comes to be in a workspace: by signing up, by invitation, by making one.
-- Locks:   a trigger on auth.users, which Supabase Auth owns: it must never fail for long.
-- Risk:    an exception in private.welcome_user would keep people from signing up.
-- Undo:    drop the triggers, public.invitations and the functions.

create table public.invitations (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  email text not null check (email = lower(email) and char_length(email) between 3 and 254),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  invited_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '30 days',
  primary key (workspace_id, id),
  constraint invitations_workspace_id_email_key unique (workspace_id, email)
);
comment on table public.invitations is
  'Who may join a workspace by confirming this e-mail address.';
create index invitations_email_idx on public.invitations (email);
create index invitations_invited_by_idx on public.invitations (invited_by);
alter table public.invitations enable row level security;

grant select, delete on public.invitations to authenticated;
grant select on public.invitations to service_role;
grant update (role) on public.invitations to authenticated;

create policy "Members can read invitations" on public.invitations
  for select to authenticated
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Admins can change invitations" on public.invitations
  for update to authenticated
  using (
    workspace_id = (select private.acting_workspace_id('admin'))
    and (role <> 'owner' or workspace_id = (select private.acting_workspace_id('owner')))
  )
  with check (
    workspace_id = (select private.acting_workspace_id('admin'))
    and (role <> 'owner' or workspace_id = (select private.acting_workspace_id('owner')))
  );
create policy "Admins can withdraw invitations" on public.invitations
  for delete to authenticated
  using (
    workspace_id = (select private.acting_workspace_id('admin'))
    and (role <> 'owner' or workspace_id = (select private.acting_workspace_id('owner')))
  );

create function private.user_memberships(p_user_id uuid)
returns table (workspace_id uuid, role text)
language sql
stable
-- Definer: asked before the caller's own transaction, which needs to know the workspace.
security definer
set search_path = ''
as $$
  select m.workspace_id, m.role
  from public.workspace_members as m
  where m.user_id = p_user_id
  order by m.created_at, m.workspace_id
$$;
comment on function private.user_memberships(uuid) is
  'The workspaces of a user with the role in each, the oldest membership first.';
grant execute on function private.user_memberships(uuid) to signalpost_key;

create function private.workspace_people(p_workspace_id uuid)
returns table (
  id uuid,
  user_id uuid,
  email text,
  role text,
  state text,
  created_at timestamptz,
  expires_at timestamptz
)
language sql
stable
-- Definer: the addresses of fellow members are in auth.users, which no caller may read.
security definer
set search_path = ''
as $$
  select m.user_id, m.user_id, u.email::text, m.role, 'active', m.created_at, null::timestamptz
  from public.workspace_members as m
  join auth.users as u on u.id = m.user_id
  where m.workspace_id = p_workspace_id
    and m.workspace_id in (select private.member_workspace_ids())
  union all
  select i.id, null, i.email, i.role, 'invited', i.created_at, i.expires_at
  from public.invitations as i
  where i.workspace_id = p_workspace_id
    and i.workspace_id in (select private.member_workspace_ids())
$$;
comment on function private.workspace_people(uuid) is
  'Members and invitations of a workspace of the calling user, with e-mail addresses.';
grant execute on function private.workspace_people(uuid) to authenticated;

create function private.invite_member(p_workspace_id uuid, p_email text, p_role text)
returns uuid
language plpgsql
volatile
-- Definer: whether the address has an account is in auth.users, which no caller may read.
security definer
set search_path = ''
as $$
declare
  v_email text := lower(p_email);
  v_user_id uuid;
  v_id uuid;
begin
  perform private.require_writer(
    p_workspace_id, case when p_role = 'owner' then 'owner' else 'admin' end, null
  );
  -- Anybody can sign up with anybody's address; it is theirs once they have confirmed it.
  select u.id into v_user_id
  from auth.users as u
  where lower(u.email) = v_email and u.email_confirmed_at is not null
  limit 1;
  if v_user_id is null then
    insert into public.invitations as i (workspace_id, email, role, invited_by)
    values (p_workspace_id, v_email, p_role, (select auth.uid()))
    on conflict on constraint invitations_workspace_id_email_key do update
    set role = p_role, invited_by = (select auth.uid()), created_at = now(),
      expires_at = now() + interval '30 days'
    where i.expires_at <= now()
    returning i.id into v_id;
  else
    insert into public.workspace_members (workspace_id, user_id, role)
    values (p_workspace_id, v_user_id, p_role)
    on conflict (workspace_id, user_id) do nothing
    returning user_id into v_id;
  end if;
  if v_id is null then
    raise sqlstate 'SP409' using
      message = format('Cannot invite "%s": already a member or invited', p_email);
  end if;
  return v_id;
end
$$;
comment on function private.invite_member(uuid, text, text) is
  'Adds whoever has an account with the address and has confirmed it, else keeps an invitation for 30 days; returns the id of the user or the invitation. SP409 for those who are in or invited already.';
grant execute on function private.invite_member(uuid, text, text) to authenticated;

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

create function private.welcome_user()
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
  -- Anonymous sign-ins and phone numbers have no address, hence no invitation and no workspace.
  if coalesce(new.email, '') = '' then
    return null;
  end if;
  with taken as (
    delete from public.invitations as i
    where i.email = lower(new.email) and i.expires_at > now()
    returning i.workspace_id, i.role
  )
  insert into public.workspace_members (workspace_id, user_id, role)
  select t.workspace_id, new.id, t.role from taken as t
  on conflict (workspace_id, user_id) do nothing;
  if not exists (select from public.workspace_members as m where m.user_id = new.id) then
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
  'A user whose address was confirmed joins the workspaces it was invited to; one who is in none gets a first one of their own.';
create trigger users_welcome after insert on auth.users
  for each row when (new.email_confirmed_at is not null)
  execute function private.welcome_user();
create trigger users_welcome_confirmed after update of email, email_confirmed_at on auth.users
  for each row when (
    new.email_confirmed_at is not null
    and (old.email_confirmed_at is null or old.email is distinct from new.email)
  )
  execute function private.welcome_user();

create function private.keep_an_owner()
returns trigger
language plpgsql
volatile
-- Definer: whoever changes a member may not lock the workspace.
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
    or exists (
      select from private.erasures as e
      where e.workspace_id = old.workspace_id and e.customer_id is null
    )
    -- The account itself was deleted: who may do that is for Supabase Auth to say.
    or not exists (select from auth.users as u where u.id = old.user_id)
    or exists (
      select from public.workspace_members as m
      where m.workspace_id = old.workspace_id and m.role = 'owner' and m.user_id <> old.user_id
    )
  then
    return coalesce(new, old);
  end if;
  raise sqlstate 'SP409' using message = 'Cannot remove the last owner: make somebody else owner first';
end
$$;
comment on function private.keep_an_owner() is
  'Refuses, with SP409, to take the last owner from a workspace that stays.';
create trigger workspace_members_keep_an_owner before delete or update on public.workspace_members
  for each row execute function private.keep_an_owner();
