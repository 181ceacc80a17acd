-- Purpose: customers, the identities that lead to them, and the history of merges.
-- Locks:   none on existing tables.
-- Risk:    none.
-- Undo:    drop the tables and the functions.

create table public.customers (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  email text,
  phone text,
  first_name text,
  last_name text,
  country text,
  attributes jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (workspace_id, id)
) with (fillfactor = 90);
comment on table public.customers is
  'One person as one workspace knows them. Anonymous while no external identity leads here.';

-- Search by the start of an e-mail address or a name; the id makes pages of what was found.
create index customers_email_idx
  on public.customers (workspace_id, lower(email) text_pattern_ops, id) where email is not null;
create index customers_name_idx
  on public.customers (
    workspace_id, lower(first_name || coalesce(' ' || last_name, '')) text_pattern_ops, id
  )
  where first_name is not null;
create index customers_last_name_idx
  on public.customers (workspace_id, lower(last_name) text_pattern_ops, id)
  where last_name is not null;

create table public.identities (
  workspace_id uuid not null,
  id bigint generated always as identity,
  kind text not null check (kind in ('external', 'anon')),
  value text not null check (char_length(value) between 1 and 255),
  customer_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint identities_workspace_id_kind_value_key unique (workspace_id, kind, value),
  constraint identities_customer_id_fkey foreign key (workspace_id, customer_id)
    references public.customers (workspace_id, id)
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
  'Which record was merged into which, with the identities and profile it had: the trail of a customer''s history.';
create index customer_merges_customer_id_idx
  on public.customer_merges (workspace_id, customer_id, id desc);

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

create function private.newest_ids(p_workspace_id uuid, p_customer_id uuid, p_kind text)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(n.value order by n.created_at, n.id), '[]')
    from (
      select d.value, d.created_at, d.id
      from public.identities as d
      where d.workspace_id = p_workspace_id and d.customer_id = p_customer_id and d.kind = p_kind
      order by d.created_at desc, d.id desc
      limit 100
    ) as n
  );
end
$$;
comment on function private.newest_ids(uuid, uuid, text) is
  'The newest 100 ids of one kind that lead to a customer, the oldest of them first.';
grant execute on function private.newest_ids(uuid, uuid, text) to signalpost_user, signalpost_key;

create function private.count_ids(p_workspace_id uuid, p_customer_id uuid, p_kind text)
returns integer
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select count(*)::integer
    from public.identities as d
    where d.workspace_id = p_workspace_id and d.customer_id = p_customer_id and d.kind = p_kind
  );
end
$$;
comment on function private.count_ids(uuid, uuid, text) is
  'How many ids of one kind lead to a customer.';
grant execute on function private.count_ids(uuid, uuid, text) to signalpost_user, signalpost_key;

create function private.customer_documents(p_workspace_id uuid, p_customer_ids uuid[])
returns table (customer_id uuid, document jsonb)
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return query
  select c.id, jsonb_build_object(
    'id', c.id,
    'external_id', case
      when n.external_ids <= 100 then e.ids ->> 0
      else (
        select d.value
        from public.identities as d
        where d.workspace_id = c.workspace_id and d.customer_id = c.id and d.kind = 'external'
        order by d.created_at, d.id
        limit 1
      )
    end,
    'external_ids', e.ids,
    'external_ids_count', n.external_ids,
    'anon_ids', a.ids,
    'anon_ids_count', n.anon_ids,
    'email', c.email,
    'phone', c.phone,
    'first_name', c.first_name,
    'last_name', c.last_name,
    'country', c.country,
    'attributes', c.attributes,
    'created_at', private.rfc3339(c.created_at),
    'updated_at', private.rfc3339(c.updated_at),
    'last_seen_at', private.rfc3339(c.last_seen_at)
  )
  from public.customers as c
  -- Not by newest_ids and count_ids: policies would be asked once more for each customer and list.
  cross join lateral (
    select
      count(*) filter (where d.kind = 'external')::integer as external_ids,
      count(*) filter (where d.kind = 'anon')::integer as anon_ids
    from public.identities as d
    where d.workspace_id = c.workspace_id and d.customer_id = c.id
  ) as n
  cross join lateral (
    select coalesce(jsonb_agg(i.value order by i.created_at, i.id), '[]') as ids
    from (
      select d.value, d.created_at, d.id
      from public.identities as d
      where d.workspace_id = c.workspace_id and d.customer_id = c.id and d.kind = 'external'
      order by d.created_at desc, d.id desc
      limit 100
    ) as i
  ) as e
  cross join lateral (
    select coalesce(jsonb_agg(i.value order by i.created_at, i.id), '[]') as ids
    from (
      select d.value, d.created_at, d.id
      from public.identities as d
      where d.workspace_id = c.workspace_id and d.customer_id = c.id and d.kind = 'anon'
      order by d.created_at desc, d.id desc
      limit 100
    ) as i
  ) as a
  where c.workspace_id = p_workspace_id and c.id = any (p_customer_ids);
end
$$;
comment on function private.customer_documents(uuid, uuid[]) is
  'The customers as the api and the webhooks show them, each with its newest 100 ids of a kind and their number; the caller''s own rights decide which rows are seen.';
grant execute on function private.customer_documents(uuid, uuid[]) to signalpost_user, signalpost_key;
