-- Purpose: saved views of lists, which the members of a workspace share.
-- Locks:   none on existing tables.
-- Undo:    drop the table.

create table public.views (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  -- The list, as the path of the api names it.
  list text not null check (list ~ '^[a-z][a-z-]{0,49}$'),
  name text not null check (char_length(name) between 1 and 200),
  -- The parameters of the list's page, each a text.
  filters jsonb not null default '{}' check (jsonb_typeof(filters) = 'object'),
  -- Names of the columns to show, in order. Null: those that are shown without a choice.
  columns text[] check (cardinality(columns) between 1 and 50),
  -- The board of Explore that shows it: for the list explore only.
  board text,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id),
  constraint views_board_check check (
    board is null or char_length(board) between 1 and 100 and list = 'explore'
  )
);
comment on table public.views is 'Filters and columns of a list, saved under a name for the whole workspace.';
create unique index views_name_key on public.views (workspace_id, list, lower(name));
create index views_created_by_idx on public.views (created_by);
alter table public.views enable row level security;
select private.limit_kind('views', 'public.views', p_action => 'create view', p_noun => 'views');

grant select, insert, delete on public.views to signalpost_user, signalpost_key;
grant update (name, filters, columns, board, updated_at) on public.views to signalpost_user, signalpost_key;

create policy "Members can read views" on public.views
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read views" on public.views
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['views:read', 'views:write'])));
create policy "Members can create views" on public.views
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('member')));
create policy "Members can change views" on public.views
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('member')))
  with check (workspace_id = (select private.acting_workspace_id('member')));
create policy "Members can delete views" on public.views
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('member')));
create policy "Keys can create views" on public.views
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['views:write'])));
create policy "Keys can change views" on public.views
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['views:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['views:write'])));
create policy "Keys can delete views" on public.views
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['views:write'])));
