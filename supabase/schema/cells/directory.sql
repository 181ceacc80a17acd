-- Purpose: the first cell knows who belongs to workspaces in other cells, and other cells know the
--          accounts of their members.

create or replace function private.user_directory(p_user_id uuid)
returns table (workspace_id uuid, cell text)
language sql
stable
-- Definer: called before the workspace of the caller is known.
security definer
set search_path = ''
as $$
  select d.workspace_id, d.cell from private.directory as d where d.user_id = p_user_id
$$;
comment on function private.user_directory(uuid) is
  'The workspaces of a user that live in other cells. Returns rows in the first cell only, which has the directory.';
grant execute on function private.user_directory(uuid) to signalpost_key;

create or replace function private.member_user_ids(p_workspace_id uuid)
returns uuid[]
language sql
stable
-- Definer: the api copies them to the directory after the caller's transaction.
security definer
set search_path = ''
as $$
  select array(
    select m.user_id from public.workspace_members as m
    where m.workspace_id = p_workspace_id
    order by m.user_id
  )
$$;
comment on function private.member_user_ids(uuid) is 'The users who belong to a workspace.';
grant execute on function private.member_user_ids(uuid) to signalpost_key;

create or replace function private.set_directory(p_workspace_id uuid, p_cell text, p_user_ids uuid[])
returns void
language plpgsql
volatile
-- Definer: the api may not write tables; an entry gives no access, only the way to the cell.
security definer
set search_path = ''
as $$
begin
  delete from private.directory as d
  where d.workspace_id = p_workspace_id and d.user_id <> all (p_user_ids);
  insert into private.directory (workspace_id, user_id, cell)
  select p_workspace_id, u.id, p_cell from unnest(p_user_ids) as u (id)
  on conflict (workspace_id, user_id) do update set cell = excluded.cell
  where directory.cell <> excluded.cell;
end
$$;
comment on function private.set_directory(uuid, text, uuid[]) is
  'Records the members of a workspace in another cell in the directory. Removes the workspace if it has no members.';
grant execute on function private.set_directory(uuid, text, uuid[]) to signalpost_key;

create or replace function private.export_accounts(p_user_ids uuid[])
returns jsonb
language sql
stable
-- Definer: accounts are in auth.users, which no caller may read.
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', u.id, 'email', u.email, 'email_confirmed_at', u.email_confirmed_at,
    'banned_until', u.banned_until, 'deleted_at', u.deleted_at, 'created_at', u.created_at
  )), '[]')
  from auth.users as u
  where u.id = any (p_user_ids)
$$;
comment on function private.export_accounts(uuid[]) is
  'The accounts of these users that another cell needs, in the form that private.import_accounts reads.';
grant execute on function private.export_accounts(uuid[]) to signalpost_key;

create or replace function private.import_accounts(p_accounts jsonb)
returns void
language plpgsql
volatile
-- Definer: accounts are in auth.users, which no caller may write.
security definer
set search_path = ''
as $$
begin
  if private.cell_name() = '00' then
    raise sqlstate 'SP403' using message = 'Cannot copy accounts: this cell is their own';
  end if;
  insert into auth.users (id, email, email_confirmed_at, banned_until, deleted_at, created_at)
  select a.id, a.email, a.email_confirmed_at, a.banned_until, a.deleted_at, a.created_at
  from jsonb_to_recordset(p_accounts) as a (
    id uuid, email text, email_confirmed_at timestamptz, banned_until timestamptz,
    deleted_at timestamptz, created_at timestamptz
  )
  on conflict (id) do update set
    email = excluded.email, email_confirmed_at = excluded.email_confirmed_at,
    banned_until = excluded.banned_until, deleted_at = excluded.deleted_at
  where (users.email, users.email_confirmed_at, users.banned_until, users.deleted_at)
    is distinct from (
      excluded.email, excluded.email_confirmed_at, excluded.banned_until, excluded.deleted_at
    );
end
$$;
comment on function private.import_accounts(jsonb) is
  'Copies accounts of the first cell to this one, for its members and invitations. SP403 in the first cell.';
grant execute on function private.import_accounts(jsonb) to signalpost_key;
