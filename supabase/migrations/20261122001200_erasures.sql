-- Purpose: what is still to be erased; until then, nobody sees it.
-- Undo:    drop private.erasures and the policies.

create table private.erasures (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  -- Null: the whole workspace.
  customer_id uuid,
  -- The customer, and the records that were merged into it.
  customer_ids uuid[] not null default '{}',
  identity_ids bigint[] not null default '{}',
  -- Ids, addresses and numbers that refused entries are searched for: those lead to no customer.
  traces text[] not null default '{}',
  -- The message that tells of the deletion, erased when it has been sent.
  farewell_id uuid,
  step text not null check (
    step in ('events', 'bodies', 'snippets', 'entries', 'keys', 'farewell', 'workspace')
  ),
  -- How far a step has come that looks through all of a workspace.
  place text not null default '',
  due_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id)
);
comment on table private.erasures is
  'What is still to be erased. A row goes when nothing is left, so that nothing tells of whom it was.';
create index erasures_due_at_idx on private.erasures (due_at);
create index erasures_workspace_id_due_at_idx on private.erasures (workspace_id, due_at);
alter table private.erasures enable row level security;

create policy "Nobody can read events of erased customers" on public.events
  as restrictive for select to signalpost_user, signalpost_key
  using (identity_id <> all (array(select private.erased_identity_ids())));
create policy "Nobody can read messages about erased customers" on public.webhook_messages
  as restrictive for select to signalpost_user, signalpost_key
  using (customer_id is null or customer_id <> all (array(select private.erased_customer_ids())));
