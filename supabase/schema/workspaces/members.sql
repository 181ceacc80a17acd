-- Purpose: the members of a workspace, and the workspaces of a user.

create or replace function private.user_memberships(p_user_id uuid)
returns table (workspace_id uuid, role text)
language sql
stable
-- Definer: called before the caller's own transaction, which needs to know the workspace.
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

create or replace function private.workspace_people(p_workspace_id uuid)
returns table (
  id uuid,
  user_id uuid,
  email text,
  role text,
  state text,
  created_at timestamptz,
  expires_at timestamptz,
  invited_by text,
  mailed_at timestamptz,
  send_id uuid
)
language sql
stable
-- Definer: the addresses of fellow members are in auth.users, which no caller may read.
security definer
set search_path = ''
as $$
  select m.user_id, m.user_id, u.email::text, m.role, 'active', m.created_at, null::timestamptz, null,
    null::timestamptz, null::uuid
  from public.workspace_members as m
  join auth.users as u on u.id = m.user_id
  where m.workspace_id = p_workspace_id
    -- By the parameter, not the column, or it would be evaluated for each member.
    and p_workspace_id in (select private.member_workspace_ids())
  union all
  select
    i.id, null, i.email, i.role,
    case when i.declined_at is null then 'invited' else 'declined' end, i.created_at, i.expires_at,
    u.email::text, i.mailed_at, i.send_id
  from public.invitations as i
  left join auth.users as u on u.id = i.invited_by
  where i.workspace_id = p_workspace_id and i.accepted_by is null
    and p_workspace_id in (select private.member_workspace_ids())
$$;
comment on function private.workspace_people(uuid) is
  'Members of a workspace of the calling user, and invitations that were not accepted, with e-mail addresses.';
grant execute on function private.workspace_people(uuid) to signalpost_user;
