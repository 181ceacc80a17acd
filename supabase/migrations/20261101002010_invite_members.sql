-- Purpose: who may join a workspace, and who is in it.
-- Locks:   the row of the workspace (no key update), while somebody is invited.
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
  declined_at timestamptz,
  -- The membership that the invitation has led to, and ends with.
  accepted_by uuid,
  primary key (workspace_id, id),
  constraint invitations_workspace_id_email_key unique (workspace_id, email),
  constraint invitations_accepted_by_fkey foreign key (workspace_id, accepted_by)
    references public.workspace_members (workspace_id, user_id) on delete cascade,
  check (declined_at is null or accepted_by is null)
);
comment on table public.invitations is
  'Who may join a workspace: the user whose confirmed e-mail address this is, by accepting.';
create index invitations_email_id_idx on public.invitations (email, id);
create index invitations_accepted_by_idx on public.invitations (workspace_id, accepted_by);
create index invitations_invited_by_idx on public.invitations (invited_by);
alter table public.invitations enable row level security;
select private.limit_kind(
  'invitations', 'public.invitations', p_action => 'invite member', p_noun => 'open invitations',
  p_condition => 'accepted_by is null and declined_at is null and expires_at > now()'
);

grant select, delete on public.invitations to signalpost_user;
grant update (role) on public.invitations to signalpost_user;

create policy "Members can read invitations" on public.invitations
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
-- Not one that was accepted: its role is a member's by now.
create policy "Admins can change invitations" on public.invitations
  for update to signalpost_user
  using (
    accepted_by is null
    and workspace_id = (select private.acting_workspace_id('admin'))
    and (role <> 'owner' or workspace_id = (select private.acting_workspace_id('owner')))
  )
  with check (
    accepted_by is null
    and workspace_id = (select private.acting_workspace_id('admin'))
    and (role <> 'owner' or workspace_id = (select private.acting_workspace_id('owner')))
  );
-- Also one of an owner: it takes no rights from anybody.
create policy "Admins can withdraw invitations" on public.invitations
  for delete to signalpost_user
  using (
    accepted_by is null and workspace_id = (select private.acting_workspace_id('admin'))
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
  select
    i.id, null, i.email, i.role,
    case when i.declined_at is null then 'invited' else 'declined' end, i.created_at, i.expires_at
  from public.invitations as i
  where i.workspace_id = p_workspace_id and i.accepted_by is null
    and p_workspace_id in (select private.member_workspace_ids())
$$;
comment on function private.workspace_people(uuid) is
  'Members of a workspace of the calling user, and invitations that were not accepted, with e-mail addresses.';
grant execute on function private.workspace_people(uuid) to signalpost_user;

create function private.invite_member(p_workspace_id uuid, p_email text, p_role text)
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
  -- First: a workspace that is deleted meanwhile gets no invitation.
  perform from public.workspaces as w
  where w.id = (select private.acting_workspace_id('admin'))
  for no key update;
  perform private.require_writer(
    p_workspace_id, case when p_role = 'owner' then 'owner' else 'admin' end, null
  );
  -- Nobody else is looked up: the answer must not tell which addresses have an account.
  if exists (
    select from public.workspace_members as m
    join auth.users as u on u.id = m.user_id
    where m.workspace_id = p_workspace_id and lower(u.email) = v_email
  ) then
    raise sqlstate 'SP409' using message = format('Cannot invite "%s": already a member', p_email);
  end if;
  -- A new one takes the place of one that is no longer open, and counts against the limit.
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
  'Keeps an invitation for 30 days and returns its id, whether the address has an account or not. SP409 for members and open invitations.';
grant execute on function private.invite_member(uuid, text, text) to signalpost_user;
