-- Purpose: which workspace a transaction acts for. Every policy asks these functions.

create or replace function private.member_workspace_ids(p_roles text[] default null)
returns setof uuid
language sql
stable
-- Definer: a policy on workspace_members that read workspace_members would call itself.
security definer
set search_path = ''
as $$
  select m.workspace_id
  from public.workspace_members as m
  where m.user_id = (select auth.uid())
    and (p_roles is null or m.role = any (p_roles))
$$;
comment on function private.member_workspace_ids(text[]) is
  'The workspaces of the calling user; with p_roles, only those where the user has one of these roles.';
grant execute on function private.member_workspace_ids(text[]) to signalpost_user;

create or replace function private.acting_workspace_id(p_least_role text)
returns uuid
language sql
stable
security invoker
set search_path = ''
as $$
  select m.workspace_id
  from private.member_workspace_ids(
    case p_least_role
      when 'owner' then array['owner']
      when 'admin' then array['owner', 'admin']
      when 'member' then array['owner', 'admin', 'member']
      when 'viewer' then array['owner', 'admin', 'member', 'viewer']
      else '{}'
    end
  ) as m (workspace_id)
  -- A session writes only in the workspace that its request names, not in all of its user.
  where m.workspace_id = nullif(current_setting('signalpost.acting_workspace_id', true), '')::uuid
$$;
comment on function private.acting_workspace_id(text) is
  'The workspace that a session acts in within this transaction, when the user''s role there is p_least_role or higher; else null.';
grant execute on function private.acting_workspace_id(text) to signalpost_user;

create or replace function private.key_workspace_id(p_scopes text[] default null)
returns uuid
language sql
stable
security invoker
set search_path = ''
as $$
  select nullif(current_setting('signalpost.workspace_id', true), '')::uuid
  where p_scopes is null
    or string_to_array(current_setting('signalpost.scopes', true), ' ') && p_scopes
$$;
comment on function private.key_workspace_id(text[]) is
  'The workspace of the scoped key this transaction acts for; with p_scopes, only if the key has one of these scopes. Else null.';
grant execute on function private.key_workspace_id(text[]) to signalpost_key;

create or replace function private.require_writer(p_workspace_id uuid, p_least_role text, p_scope text)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  -- Null is not a workspace: a plain comparison would let through a caller who acts in none.
  if p_workspace_id is null or p_workspace_id is distinct from coalesce(
    private.acting_workspace_id(p_least_role), private.key_workspace_id(array[p_scope])
  ) then
    raise sqlstate 'SP403' using message = 'Caller may not change this workspace';
  end if;
end
$$;
comment on function private.require_writer(uuid, text, text) is
  'For functions with definer rights: raises SP403 unless this transaction is a session that acts in the workspace with p_least_role or higher, or a key of it with p_scope.';
