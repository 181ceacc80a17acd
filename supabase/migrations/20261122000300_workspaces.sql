-- Purpose: workspaces, their plans, members, invitations and audit log.
-- Undo:    drop the tables.

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
  max_senders integer not null default 50 check (max_senders >= 0),
  max_templates integer not null default 500 check (max_templates >= 0),
  max_topics integer not null default 100 check (max_topics >= 0),
  max_segments integer not null default 200 check (max_segments >= 0),
  max_journeys integer not null default 100 check (max_journeys >= 0),
  max_rehearsals integer not null default 5 check (max_rehearsals >= 0),
  max_campaigns integer not null default 1000 check (max_campaigns >= 0),
  max_alert_rules integer not null default 100 check (max_alert_rules >= 0),
  max_views integer not null default 200 check (max_views >= 0),
  max_destination_secrets integer not null default 10 check (max_destination_secrets > 0),
  max_source_secrets integer not null default 10 check (max_source_secrets > 0),
  max_device_tokens integer not null default 100 check (max_device_tokens >= 0)
);
comment on table public.plans is
  'Quotas: ingest in entries per second and bytes per day, api in requests per second, and how many refused entries are kept per day. Limits: how many of each kind a workspace may have, and how many workspaces of the plan a user may create (null: any number).';

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
  timezone text not null default 'UTC' check (char_length(timezone) between 1 and 100),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.workspaces is 'A tenant: everything else belongs to exactly one.';
comment on column public.workspaces.fill_browser_ip is
  'True when context.ip of requests by Segment''s browser library is filled in from the connection.';
comment on column public.workspaces.timezone is
  'The IANA zone of customers whose own zone is unknown.';
create index workspaces_plan_id_idx on public.workspaces (plan_id);
create index workspaces_created_by_idx on public.workspaces (created_by);

create table public.workspace_members (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
comment on table public.workspace_members is 'The members of each workspace and their roles.';
create index workspace_members_user_id_idx on public.workspace_members (user_id);

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
grant update (name, fill_browser_ip, timezone, updated_at) on public.workspaces to signalpost_user;

create policy "Members can read fellow members" on public.workspace_members
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));

-- Only owners appoint and remove owners.
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

create table private.limited_kinds (
  kind text primary key,
  table_name text not null,
  owner_column text not null,
  condition text not null,
  action text not null,
  noun text not null
);
comment on table private.limited_kinds is
  'Limits of plans: the column max_<kind> of public.plans is the most rows of table_name that meet condition and have the same owner_column.';
alter table private.limited_kinds enable row level security;

select private.limit_kind(
  'members', 'public.workspace_members', p_action => 'add member', p_noun => 'members'
);

create table public.audit_log (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  actor_kind text not null check (actor_kind in ('user', 'api_key', 'system')),
  -- Null: the service itself, or an operator in SQL.
  actor_id uuid check ((actor_id is null) = (actor_kind = 'system')),
  -- The e-mail address or the name of the key at that time.
  actor_name text,
  action text not null,
  entity_id text,
  details jsonb not null default '{}',
  request_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, created_at, id)
);
comment on table public.audit_log is
  'The log of changes, append-only. Holds settings before and after a change, never a secret or a customer''s data.';
create index audit_log_action_idx
  on public.audit_log (workspace_id, action, created_at, id);
create index audit_log_actor_idx
  on public.audit_log (workspace_id, actor_id, created_at, id);
create index audit_log_entity_idx
  on public.audit_log (workspace_id, entity_id, created_at, id);
alter table public.audit_log enable row level security;
grant select on public.audit_log to signalpost_user;

create policy "Admins can read the audit log" on public.audit_log
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids(array['owner', 'admin'])));

create table public.invitations (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  email text not null check (email = lower(email) and char_length(email) between 3 and 254),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  invited_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '30 days',
  declined_at timestamptz,
  -- The newest mail about it, and the send that carries it.
  mailed_at timestamptz,
  send_id uuid,
  -- The membership that the invitation led to; deleted with it.
  accepted_by uuid,
  primary key (workspace_id, id),
  constraint invitations_workspace_id_email_key unique (workspace_id, email),
  constraint invitations_accepted_by_fkey foreign key (workspace_id, accepted_by)
    references public.workspace_members (workspace_id, user_id) on delete cascade,
  check (declined_at is null or accepted_by is null)
);
comment on table public.invitations is
  'Invitations to a workspace: the user with this confirmed e-mail address may accept.';
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
-- Not an accepted one: its role now belongs to the member.
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
-- Also an invitation of an owner: deleting it takes no rights from anybody.
create policy "Admins can withdraw invitations" on public.invitations
  for delete to signalpost_user
  using (
    accepted_by is null and workspace_id = (select private.acting_workspace_id('admin'))
  );
