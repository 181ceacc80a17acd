-- Purpose: what each source received and what became of it.
-- Locks:   none on existing tables.
-- Risk:    no foreign keys on the hot path. Kept for 30 days; of an erased customer without body.
-- Undo:    drop the table with its row of private.partition_policies, and the function.

create table public.inbound_receipts (
  workspace_id uuid not null,
  source_id uuid not null,
  id uuid not null,
  received_at timestamptz not null,
  is_verified boolean not null,
  outcome text not null check (
    outcome in ('accepted', 'duplicate', 'ignored', 'rejected', 'handshake', 'refused')
  ),
  status_code smallint not null check (status_code between 200 and 599),
  error text,
  message_id text,
  headers jsonb not null default '{}',
  body text,
  body_bytes integer not null,
  accepted integer not null default 0,
  duplicates integer not null default 0,
  ignored integer not null default 0,
  rejected integer not null default 0,
  results jsonb not null default '[]',
  customer_ids uuid[] not null default '{}',
  request_id uuid not null,
  primary key (workspace_id, received_at, id)
) partition by range (received_at);
comment on table public.inbound_receipts is
  'One request to a source: whether it verified, what it was answered, and the entries it became. The body is kept where it was verified and is no larger than 256 KiB.';
-- With the outcome: a day is counted in the index, without the requests themselves.
create index inbound_receipts_source_id_idx
  on public.inbound_receipts (workspace_id, source_id, received_at desc, id desc) include (outcome);
create index inbound_receipts_outcome_idx
  on public.inbound_receipts (workspace_id, source_id, outcome, received_at desc, id desc);
create index inbound_receipts_customer_ids_idx
  on public.inbound_receipts using gin (customer_ids) where body is not null;

create table private.inbound_receipts_default partition of public.inbound_receipts default;
alter table public.inbound_receipts enable row level security;
alter table private.inbound_receipts_default enable row level security;

grant select on public.inbound_receipts to signalpost_user, signalpost_key;

create policy "Members can read receipts" on public.inbound_receipts
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read receipts" on public.inbound_receipts
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['sources:read', 'sources:write'])));

insert into private.partition_policies (table_name, step, ahead, keep)
values ('inbound_receipts', 'day', 3, '30 days');
select private.ensure_partitions();

create function private.erase_receipts(
  p_workspace_id uuid,
  p_customer_ids uuid[],
  p_limit integer default 5000
)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with doomed as materialized (
    select r.received_at, r.id
    from public.inbound_receipts as r
    where r.workspace_id = p_workspace_id
      and r.customer_ids && p_customer_ids
      and r.body is not null
    limit p_limit
  ),
  erased as (
    update public.inbound_receipts as r
    set body = null
    from doomed as d
    where r.workspace_id = p_workspace_id and r.received_at = d.received_at and r.id = d.id
    returning 1
  )
  select count(*)::integer from erased
$$;
comment on function private.erase_receipts(uuid, uuid[], integer) is
  'Removes up to p_limit bodies of what was received about these customers; returns how many.';
