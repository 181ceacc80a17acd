-- Purpose: customers, the identities that lead to them, the history of merges, and device tokens.
-- Undo:    drop the tables.

-- No foreign key of workspace_id: it would lock the workspace's row for each new customer. Ingest locks
-- it once per batch (private.require_workspaces), and private.erase_tenant_rows deletes the rows.
create table public.customers (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  email text,
  phone text,
  first_name text,
  last_name text,
  country text,
  timezone text,
  locale text,
  attributes jsonb not null default '{}',
  -- Keyed hashes of the addresses before the email was cleared: the next one takes their opt-outs.
  former_addresses bytea[],
  -- The attribute name, which many callers send instead of first and last name. A column, because an
  -- index on attributes would write a new row of every index for each update of them.
  name_attribute text generated always as (
    case when jsonb_typeof(attributes -> 'name') = 'string' then left(btrim(attributes ->> 'name'), 200) end
  ) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (workspace_id, id)
) with (fillfactor = 90);
comment on table public.customers is
  'A person as one workspace knows them. Anonymous until an external identity leads here.';

-- Search by the start of an e-mail address or a name, in lower case; Greek has two small letters
-- for Σ. The id orders the pages of results.
create index customers_email_idx
  on public.customers (workspace_id, replace(lower(email), 'ς', 'σ') text_pattern_ops, id)
  where email is not null;
create index customers_name_idx
  on public.customers (
    workspace_id,
    replace(lower(first_name || coalesce(' ' || last_name, '')), 'ς', 'σ') text_pattern_ops,
    id
  )
  where first_name is not null;
create index customers_last_name_idx
  on public.customers (workspace_id, replace(lower(last_name), 'ς', 'σ') text_pattern_ops, id)
  where last_name is not null;
create index customers_name_attribute_idx
  on public.customers (workspace_id, replace(lower(name_attribute), 'ς', 'σ') text_pattern_ops, id)
  where name_attribute is not null;

create table public.identities (
  workspace_id uuid not null,
  id bigint generated always as identity,
  kind text collate "C" not null check (kind in ('external', 'anon')),
  -- Compared by its bytes, as keys of idempotency are.
  value text collate "C" not null check (char_length(value) between 1 and 255),
  customer_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  -- The kind comes last: of two ids, almost always the value decides which is first.
  constraint identities_workspace_id_value_kind_key unique (workspace_id, value, kind)
);
comment on table public.identities is
  'An id a client uses, and the customer it leads to. Events point here, so a merge rewrites nothing else.';
-- The newest ids of one kind, and how many there are, without reading all of a customer's ids.
create index identities_customer_id_idx
  on public.identities (workspace_id, customer_id, kind, created_at);

create table public.customer_merges (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  customer_id uuid not null,
  merged_customer_id uuid not null,
  cause text not null check (cause in ('identify', 'alias')),
  identity_ids bigint[] not null,
  profile jsonb not null,
  merged_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint customer_merges_customer_id_fkey foreign key (workspace_id, customer_id)
    references public.customers (workspace_id, id) on delete cascade
);
comment on table public.customer_merges is
  'Records that were merged into others, with the identities and profile it had: the history of a customer''s merges.';
create index customer_merges_customer_id_idx
  on public.customer_merges (workspace_id, customer_id, id);

alter table public.customers enable row level security;
alter table public.identities enable row level security;
alter table public.customer_merges enable row level security;

grant select on public.customers, public.identities, public.customer_merges
  to signalpost_user, signalpost_key;

create policy "Members can read customers" on public.customers
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read customers" on public.customers
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['customers:read', 'customers:write'])));

create policy "Members can read identities" on public.identities
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read identities" on public.identities
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['customers:read', 'customers:write', 'events:read', 'deliveries:read'])));

create policy "Members can read merges" on public.customer_merges
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read merges" on public.customer_merges
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['customers:read', 'customers:write'])));

create table public.device_tokens (
  workspace_id uuid not null,
  -- Printable ASCII and short enough for an index row, as all push services hand out.
  token text not null check (token ~ '^[!-~]+$' and char_length(token) <= 2048),
  customer_id uuid not null,
  platform text not null check (platform in ('ios', 'android', 'web')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, token),
  constraint device_tokens_customer_id_fkey foreign key (workspace_id, customer_id)
    references public.customers (workspace_id, id)
);
comment on table public.device_tokens is 'A token belongs to one customer at a time.';
create index device_tokens_customer_id_idx
  on public.device_tokens (workspace_id, customer_id, created_at, token);

alter table public.device_tokens enable row level security;
grant select on public.device_tokens to signalpost_user, signalpost_key;

insert into private.limited_kinds (kind, table_name, owner_column, condition, action, noun)
values (
  'device_tokens', 'public.device_tokens', 'customer_id', 'true', 'register device token',
  'device tokens per customer'
);

create policy "Members can read device tokens" on public.device_tokens
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read device tokens" on public.device_tokens
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['customers:read', 'customers:write'])));

grant delete on public.device_tokens to signalpost_user, signalpost_key;
create policy "Members can remove device tokens" on public.device_tokens
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('member')));
create policy "Keys can remove device tokens" on public.device_tokens
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['customers:write'])));
