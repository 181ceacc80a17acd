-- Purpose: who may join a workspace, and who is in it.
-- Locks:   an advisory lock an e-mail address, for as long as an invitation or a sign-up takes.
-- Risk:    none.
-- Undo:    drop public.invitations and the functions.

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
  'Who joins a workspace once Supabase Auth has confirmed that this e-mail address is theirs.';
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
    -- Of the parameter and not of the column, or it would be asked for each member.
    and p_workspace_id in (select private.member_workspace_ids())
  union all
  select i.id, null, i.email, i.role, 'invited', i.created_at, i.expires_at
  from public.invitations as i
  where i.workspace_id = p_workspace_id
    and p_workspace_id in (select private.member_workspace_ids())
$$;
comment on function private.workspace_people(uuid) is
  'Members and invitations of a workspace of the calling user, with e-mail addresses.';
grant execute on function private.workspace_people(uuid) to authenticated;

create function private.address_lock(p_email text)
returns bigint
language sql
immutable
security invoker
set search_path = ''
as $$
  select hashtextextended(lower(p_email), 11)
$$;
comment on function private.address_lock(text) is
  'The advisory lock of an e-mail address: else who is invited while they confirm it would be missed by both.';

create function private.find_user(p_email text)
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
  'The account whose confirmed e-mail address this is; of several, as with single sign-on, the oldest.';

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
  perform pg_advisory_xact_lock(private.address_lock(v_email));
  v_user_id := private.find_user(v_email);
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
    -- One that ended before they had an account.
    delete from public.invitations as i where i.workspace_id = p_workspace_id and i.email = v_email;
  end if;
  if v_id is null then
    raise sqlstate 'SP409' using message = format(
      'Cannot invite "%s": already %s', p_email,
      case when v_user_id is null then 'invited' else 'a member' end
    );
  end if;
  return v_id;
end
$$;
comment on function private.invite_member(uuid, text, text) is
  'Adds whoever has a confirmed account with the address, else keeps an invitation for 30 days; returns the id of the user or the invitation. SP409 for those who are in or invited already.';
grant execute on function private.invite_member(uuid, text, text) to authenticated;
