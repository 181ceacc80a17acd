-- Purpose: templates of messages, in numbered versions that never change.
-- Locks:   none on existing tables.
-- Undo:    drop the tables.

create table public.templates (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  key text check (key ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'),
  name text not null check (char_length(name) between 1 and 200),
  channel text not null default 'email' check (channel in ('email')),
  version integer not null check (version > 0),
  -- A missing variable stops the send instead of being empty.
  strict boolean not null default false,
  track_opens boolean not null default true,
  track_clicks boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint templates_workspace_id_key_key unique (workspace_id, key)
);
comment on table public.templates is 'Templates of messages; version is the one that is sent.';
alter table public.templates enable row level security;
select private.limit_kind(
  'templates', 'public.templates', p_action => 'create template', p_noun => 'templates'
);

create table public.template_versions (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  template_id uuid not null,
  version integer not null check (version > 0),
  -- Liquid. html is compiled from mjml where that is not null.
  subject text not null check (char_length(subject) between 1 and 1000),
  html text check (octet_length(html) <= 524288),
  mjml text check (octet_length(mjml) <= 262144),
  text text check (octet_length(text) <= 262144),
  is_text_generated boolean not null,
  variables text[] not null,
  warnings text[] not null,
  -- A marketing send needs a link to unsubscribe.
  has_unsubscribe boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  -- When the template was deleted. Its versions stay as long as messages that were made from it.
  retired_at timestamptz,
  primary key (workspace_id, template_id, version)
);
comment on table public.template_versions is
  'Contents of each version of a template, checked and compiled when it was saved. They outlive the template, because messages are shown as they were sent.';
create index template_versions_retired_at_idx on public.template_versions (retired_at)
  where retired_at is not null;
alter table public.template_versions enable row level security;

insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values ('delete retired versions of templates', '1 hour', 51, 'private.delete_retired_versions($1, $2)', 1000, 10);

grant select, insert, delete on public.templates to signalpost_user, signalpost_key;
grant update (key, name, version, strict, track_opens, track_clicks)
  on public.templates to signalpost_user, signalpost_key;
grant select on public.template_versions to signalpost_user, signalpost_key;
grant insert (
    workspace_id, template_id, version, subject, html, mjml, text, is_text_generated, variables,
    warnings, has_unsubscribe
  ) on public.template_versions to signalpost_user, signalpost_key;

create policy "Members can read templates" on public.templates
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read templates" on public.templates
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(
    array['templates:read', 'templates:write']
  )));
create policy "Members can create templates" on public.templates
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('member')));
create policy "Members can change templates" on public.templates
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('member')))
  with check (workspace_id = (select private.acting_workspace_id('member')));
create policy "Members can delete templates" on public.templates
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('member')));
create policy "Keys can create templates" on public.templates
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['templates:write'])));
create policy "Keys can change templates" on public.templates
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['templates:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['templates:write'])));
create policy "Keys can delete templates" on public.templates
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['templates:write'])));

create policy "Members can read versions" on public.template_versions
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read versions" on public.template_versions
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(
    array['templates:read', 'templates:write']
  )));
create policy "Members can add versions" on public.template_versions
  for insert to signalpost_user
  with check (
    workspace_id = (select private.acting_workspace_id('member'))
    and exists (
      select from public.templates as t
      where t.workspace_id = template_versions.workspace_id and t.id = template_versions.template_id
    )
  );
create policy "Keys can add versions" on public.template_versions
  for insert to signalpost_key
  with check (
    workspace_id = (select private.key_workspace_id(array['templates:write']))
    and exists (
      select from public.templates as t
      where t.workspace_id = template_versions.workspace_id and t.id = template_versions.template_id
    )
  );
