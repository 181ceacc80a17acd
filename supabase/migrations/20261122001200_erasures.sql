-- Purpose: erasures in progress; until they end, nobody sees the data.
-- Undo:    drop the policies, tables and type, and the rows of private.periodic_tasks.

create table private.erasure_steps (
  step text primary key,
  subject text not null check (subject in ('customer', 'workspace')),
  -- The order of the steps of a subject.
  position integer not null,
  -- Called with the erasure, a number of rows and the time; returns private.erasure_progress.
  function_name text not null,
  -- How long the erasure waits before the step.
  delay interval not null default '0',
  unique (subject, position)
);
comment on table private.erasure_steps is
  'The steps by which customers and workspaces are erased: see private.work_erasure.';
insert into private.erasure_steps (subject, position, step, function_name, delay)
values
  ('workspace', 10, 'workspace', 'private.erase_tenant_rows', '0'),
  ('customer', 10, 'events', 'private.erase_events', '0'),
  ('customer', 20, 'bodies', 'private.erase_bodies', '0'),
  ('customer', 30, 'receipts', 'private.erase_receipts', '0'),
  -- Requests that were running when the customer was erased are logged within a minute.
  ('customer', 40, 'snippets', 'private.erase_snippets', '1 minute'),
  ('customer', 50, 'late_receipts', 'private.erase_receipts', '0'),
  ('customer', 52, 'ignored_receipts', 'private.erase_ignored_receipts', '0'),
  ('customer', 60, 'entries', 'private.erase_rejected_entries', '0'),
  ('customer', 70, 'deletion_message', 'private.erase_deletion_message', '0');
alter table private.erasure_steps enable row level security;

create table private.erasures (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  -- Null: the whole workspace.
  customer_id uuid,
  -- The customer, and the records that were merged into it.
  customer_ids uuid[] not null default '{}',
  identity_ids bigint[] not null default '{}',
  -- Ids, addresses and numbers that refused entries and ignored requests are searched for: those
  -- lead to no customer.
  search_terms text[] not null default '{}',
  -- The message about the deletion, erased when it has been sent.
  deletion_message_id uuid,
  step text not null references private.erasure_steps (step),
  -- Where a step that looks through all rows of a workspace continues.
  cursor text not null default '',
  due_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id)
);
comment on table private.erasures is
  'Erasures in progress. A row is deleted when nothing is left, so that nothing shows whom it was about.';
create index erasures_step_idx on private.erasures (step);
create index erasures_due_at_idx on private.erasures (due_at);
create index erasures_workspace_id_due_at_idx on private.erasures (workspace_id, due_at);
alter table private.erasures enable row level security;

create type private.erasure_progress as (
  -- How many rows the batch handled.
  rows integer,
  -- Whether the step is finished; null when the function has moved the erasure on.
  is_finished boolean,
  -- Where an unfinished step continues, and when; null for now.
  cursor text,
  due_at timestamptz
);
comment on type private.erasure_progress is 'The result of one batch of an erasure step.';

create policy "Nobody can read events of erased customers" on public.events
  as restrictive for select to signalpost_user, signalpost_key
  using (identity_id <> all (array(select private.erased_identity_ids())));
create policy "Nobody can read messages about erased customers" on public.webhook_messages
  as restrictive for select to signalpost_user, signalpost_key
  using (customer_id is null or customer_id <> all (array(select private.erased_customer_ids())));

insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values
  ('recheck deletion messages', '10 seconds', 50, 'private.recheck_deletion_messages($1, $2)', 1000, 1);
insert into private.periodic_tasks (name, every, position, call)
values ('erase', '10 seconds', 60, 'private.run_erasures($2, $3)');
