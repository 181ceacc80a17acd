-- Purpose: workspaces, their plans and members; the helper every policy asks for membership.
-- Locks:   none on existing tables.
-- Risk:    none.
-- Undo:    drop the tables and private.member_workspace_ids.

create table public.plans (
  id text primary key,
  ingest_per_second integer not null check (ingest_per_second > 0),
  ingest_burst integer not null check (ingest_burst > 0),
  api_per_second integer not null check (api_per_second > 0),
  api_burst integer not null check (api_burst > 0),
  ingest_bytes_per_day bigint not null default 1024 ^ 4 check (ingest_bytes_per_day > 0),
  rejected_entries_per_day integer not null default 10000 check (rejected_entries_per_day >= 0),
  rejected_bytes_per_day bigint not null default 64 * 1024 ^ 2 check (rejected_bytes_per_day >= 0),
  max_workspaces_per_user integer check (max_workspaces_per_user >= 0),
  -- max_<kind> is the limit of a kind: see private.limit_kind.
  max_members integer not null default 1000 check (max_members >= 0),
  max_invitations integer not null default 100 check (max_invitations >= 0),
  max_api_keys integer not null default 100 check (max_api_keys >= 0),
  max_destinations integer not null default 50 check (max_destinations >= 0),
  max_sources integer not null default 50 check (max_sources >= 0),
  max_jobs integer not null default 100 check (max_jobs >= 0),
  max_destination_secrets integer not null default 10 check (max_destination_secrets > 0),
  max_source_secrets integer not null default 10 check (max_source_secrets > 0),
  max_device_tokens integer not null default 100 check (max_device_tokens >= 0)
);
comment on table public.plans is
  'Quotas: ingest in entries a second and bytes a day, api in requests a second, and how many refused entries are kept a day. Limits: how many of each kind a workspace may have, and how many workspaces of the plan a user may create (null: any number).';

insert into public.plans (
  id, ingest_per_second, ingest_burst, api_per_second, api_burst, ingest_bytes_per_day,
  rejected_entries_per_day, rejected_bytes_per_day, max_workspaces_per_user
)
values
  ('free', 50, 1000, 10, 50, 1024 ^ 3, 10000, 64 * 1024 ^ 2, 3),
  ('pro', 1000, 20000, 50, 200, 50 * 1024 ^ 3, 100000, 640 * 1024 ^ 2, null),
  ('scale', 20000, 200000, 200, 1000, 1024 ^ 4, 1000000, 6400 * 1024 ^ 2, null);

create table public.workspaces (
  id uuid primary key default private.uuid_v7(),
  name text not null check (char_length(name) between 1 and 200),
  plan_id text not null default 'free' references public.plans (id),
  created_by uuid references auth.users (id) on delete set null,
  fill_browser_ip boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.workspaces is 'A tenant: everything else belongs to exactly one.';
comment on column public.workspaces.fill_browser_ip is
  'Whether context.ip of what Segment''s browser library sends is filled in from the connection.';
create index workspaces_plan_id_idx on public.workspaces (plan_id);
create index workspaces_created_by_idx on public.workspaces (created_by);

create table public.workspace_members (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
comment on table public.workspace_members is 'Which user may do what in which workspace.';
create index workspace_members_user_id_idx on public.workspace_members (user_id);

create function private.member_workspace_ids(p_roles text[] default null)
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
  'The workspaces of the calling user, only those where the role is one of p_roles when given.';
grant execute on function private.member_workspace_ids(text[]) to signalpost_user;

create function private.acting_workspace_id(p_least_role text)
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
  -- A session writes in the one workspace its request names, not in all workspaces of its user.
  where m.workspace_id = nullif(current_setting('signalpost.acting_workspace_id', true), '')::uuid
$$;
comment on function private.acting_workspace_id(text) is
  'The workspace that a session acts in within this transaction, when the user''s role there is p_least_role or higher; else null.';
grant execute on function private.acting_workspace_id(text) to signalpost_user;

create function private.key_workspace_id(p_scopes text[] default null)
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
  'The workspace of the scoped key this transaction acts for, when it has one of p_scopes where these are given; else null.';
grant execute on function private.key_workspace_id(text[]) to signalpost_key;

create function private.require_writer(p_workspace_id uuid, p_least_role text, p_scope text)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  -- Null is no workspace: a caller who acts in none would be let through by a mere comparison.
  if p_workspace_id is null or p_workspace_id is distinct from coalesce(
    private.acting_workspace_id(p_least_role), private.key_workspace_id(array[p_scope])
  ) then
    raise sqlstate 'SP403' using message = 'Caller may not change this workspace';
  end if;
end
$$;
comment on function private.require_writer(uuid, text, text) is
  'For functions with definer rights: raises SP403 unless this transaction is a session that acts in the workspace with p_least_role or higher, or a key of it with p_scope.';

alter table public.plans enable row level security;
alter table public.workspaces enable row level security;
alter table public.workspace_members enable row level security;

grant select on public.plans to signalpost_user, signalpost_key;
grant select on public.workspaces to signalpost_user, signalpost_key;
grant select on public.workspace_members to signalpost_user;

create policy "Users can read plans" on public.plans
  for select to signalpost_user, signalpost_key using ((select true));

create policy "Members can read their workspaces" on public.workspaces
  for select to signalpost_user
  using (id in (select private.member_workspace_ids()));

create policy "Keys can read their workspace" on public.workspaces
  for select to signalpost_key
  using (id = (select private.key_workspace_id()));

create policy "Owners can change their workspace" on public.workspaces
  for update to signalpost_user
  using (id = (select private.acting_workspace_id('owner')))
  with check (id = (select private.acting_workspace_id('owner')));
grant update (name, fill_browser_ip, updated_at) on public.workspaces to signalpost_user;

create policy "Members can read fellow members" on public.workspace_members
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));

-- Owners are made and unmade by owners.
create policy "Admins can change roles" on public.workspace_members
  for update to signalpost_user
  using (
    workspace_id = (select private.acting_workspace_id('admin'))
    and (role <> 'owner' or workspace_id = (select private.acting_workspace_id('owner')))
  )
  with check (
    workspace_id = (select private.acting_workspace_id('admin'))
    and (role <> 'owner' or workspace_id = (select private.acting_workspace_id('owner')))
  );
grant update (role) on public.workspace_members to signalpost_user;

create policy "Admins can remove members, and everybody can leave" on public.workspace_members
  for delete to signalpost_user
  using (
    workspace_id = (select private.acting_workspace_id('viewer'))
    and (
      user_id = (select auth.uid())
      or workspace_id = (select private.acting_workspace_id('owner'))
      or (role <> 'owner' and workspace_id = (select private.acting_workspace_id('admin')))
    )
  );
grant delete on public.workspace_members to signalpost_user;
