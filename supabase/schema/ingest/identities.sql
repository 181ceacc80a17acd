-- Purpose: creates the identities of new ids, with their customers.
-- Locks:   see ingest/ingest.sql, which calls these in an order that cannot deadlock.

create or replace function private.id_limit()
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  select 10000
$$;
comment on function private.id_limit() is
  'Maximum number of ids of one kind that may lead to a customer.';

create or replace function private.refuse_links(p_entries private.ingest_entry[])
returns private.ingest_entry[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_refused integer[];
begin
  with links as materialized (
    select
      c.ordinality::integer as i, c.workspace_id, c.customer_id,
      min(c.ordinality) over (partition by c.workspace_id, c.customer_id, c.anon_id) as first_i
    from unnest(p_entries) with ordinality as c
    where c.kind = 'identify' and not c.is_duplicate and c.repeats is null
      and c.external_id is not null and c.anon_id is not null and c.customer_id is not null
      and not exists (
        select from public.identities as d
        where d.workspace_id = c.workspace_id and d.kind = 'anon' and d.value = c.anon_id
      )
  ),
  counted as materialized (
    select o.*, private.count_ids(o.workspace_id, o.customer_id, 'anon') as ids
    from (select distinct l.workspace_id, l.customer_id from links as l) as o
  )
  select array_agg(n.i) into v_refused
  from (
    select
      l.i, l.workspace_id, l.customer_id,
      dense_rank() over (partition by l.workspace_id, l.customer_id order by l.first_i) as position
    from links as l
  ) as n
  join counted as o on o.workspace_id = n.workspace_id and o.customer_id = n.customer_id
  where o.ids + n.position > private.id_limit();
  for v_index in 1 .. coalesce(cardinality(v_refused), 0) loop
    p_entries[v_refused[v_index]].refused_code := 'payload_too_large';
    p_entries[v_refused[v_index]].refused_field := 'anon_id';
  end loop;
  return p_entries;
end
$$;
comment on function private.refuse_links(private.ingest_entry[]) is
  'Refuses identifies that would give a known customer one anonymous id too many.';

create or replace function private.require_workspaces(p_workspace_ids uuid[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_found integer;
begin
  -- Replaces a foreign key of customers, which would lock the row once for each of them.
  select count(*) into v_found
  from (
    select from public.workspaces as w where w.id = any (p_workspace_ids) for key share
  ) as k;
  if v_found < cardinality(p_workspace_ids) then
    raise exception 'Cannot create customers: their workspace does not exist'
      using errcode = 'foreign_key_violation', constraint = 'customers_workspace_id_fkey';
  end if;
end
$$;
comment on function private.require_workspaces(uuid[]) is
  'Keeps the workspaces, each given once, from being deleted until the end of the transaction. Raises foreign_key_violation if one does not exist.';

create or replace function private.create_identities(p_entries private.ingest_entry[], p_at timestamptz)
returns private.created_identity[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_ids uuid[] := private.uuids_v7(p_at, 2 * ( -- An identify may create two.
    select count(*) from unnest(p_entries) as c where c.kind = 'identify' or c.identity_id is null
  )::integer);
  v_created private.created_identity[];
  v_lost integer;
begin
  with uses as (
    -- The id that an entry is about gets a customer of its own.
    select
      c.ordinality::integer as i, c.workspace_id, c.kind as entry_kind, null::text as owner,
      c.customer_id,
      case when c.external_id is null then 'anon' else 'external' end as kind,
      coalesce(c.external_id, c.anon_id) as value
    from unnest(p_entries) with ordinality as c
    where c.kind in ('event', 'identify') and not c.is_duplicate and c.repeats is null
      and c.identity_id is null and c.refused_code is null
    union all
    -- The anonymous id of an identify joins the customer of its external id.
    select c.ordinality::integer, c.workspace_id, c.kind, c.external_id, c.customer_id, 'anon', c.anon_id
    from unnest(p_entries) with ordinality as c
    where c.kind = 'identify' and not c.is_duplicate and c.repeats is null
      and c.refused_code is null and c.external_id is not null and c.anon_id is not null
      and not exists (
        select from public.identities as d
        where d.workspace_id = c.workspace_id and d.kind = 'anon' and d.value = c.anon_id
      )
  ),
  firsts as materialized (
    select distinct on (u.workspace_id, u.kind, u.value)
      u.*, v_ids[row_number() over ()] as new_customer_id,
      max(u.i) over (partition by u.workspace_id, u.kind, u.value) as last_i
    from uses as u order by u.workspace_id, u.kind, u.value, u.i
  ),
  joined as (
    select
      f.workspace_id, f.kind, f.value, f.i,
      -- A window: joining the batch with itself is planned as a product of all its rows.
      case when f.owner is null then f.new_customer_id
        else coalesce(f.customer_id, first_value(f.new_customer_id) over (
          partition by f.workspace_id, coalesce(f.owner, case f.kind when 'external' then f.value end)
          order by f.kind desc)) end as customer_id
    from firsts as f
  ),
  made as (
    insert into public.identities (workspace_id, kind, value, customer_id, created_at)
    -- The oldest id is the first of the batch.
    select j.workspace_id, j.kind, j.value, j.customer_id, p_at + j.i * interval '1 microsecond'
    from joined as j order by j.workspace_id, j.kind, j.value
    on conflict on constraint identities_workspace_id_value_kind_key do nothing
    returning id, workspace_id, kind, value, customer_id
  ),
  created as materialized (
    select m.*, f.entry_kind, f.i, f.last_i, f.new_customer_id
    from firsts as f left join made as m using (workspace_id, kind, value)
  ),
  people as (
    insert into public.customers (workspace_id, id, created_at, updated_at, last_seen_at)
    select c.workspace_id, c.customer_id, p_at, p_at, p_at
    from created as c where c.customer_id = c.new_customer_id
    returning workspace_id
  ),
  counted as (
    insert into private.usage_deltas (workspace_id, at, customers)
    select p.workspace_id, p_at, count(*) from people as p group by p.workspace_id
  )
  select
    array_agg(
      row(c.id, c.workspace_id, c.customer_id, c.kind, c.entry_kind, c.i, c.last_i)::private.created_identity
      order by c.i
    ) filter (where c.id is not null),
    count(*) filter (where c.id is null)
  into v_created, v_lost
  from created as c;

  if v_lost > 0 and exists (select from unnest(p_entries) as c where c.kind <> 'event') then
    raise exception 'Cannot create identities: another call was first' using errcode = '40001';
  end if;
  return coalesce(v_created, '{}');
end
$$;
comment on function private.create_identities(private.ingest_entry[], timestamptz) is
  'Creates unknown identities and their customers, and returns them. Raises 40001 if another transaction was first and the batch merges.';

create or replace function private.create_event_identities(
  p_entries private.ingest_entry[],
  p_at timestamptz,
  out o_entries private.ingest_entry[],
  out o_created private.created_identity[]
)
language plpgsql
volatile
security invoker
set search_path = ''
-- Entries are joined by hash: a nested loop would be the product of the batch with itself.
set enable_nestloop = 'off'
set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_ids uuid[] := private.uuids_v7(p_at, (
    select count(*) from unnest(p_entries) as c where c.identity_id is null
  )::integer);
begin
  -- See private.require_customers: looking up the customers that this creates takes a tenth of its time.
  perform set_config('signalpost.creates_customers', 'on', true);
  with uses as (
    select
      c.ordinality::integer as i, c.workspace_id,
      case when c.external_id is null then 'anon' else 'external' end as kind,
      coalesce(c.external_id, c.anon_id) as value
    from unnest(p_entries) with ordinality as c
    where c.identity_id is null and not c.is_duplicate and c.repeats is null
  ),
  firsts as materialized (
    select
      u.*, 'event' as entry_kind, nextval('public.identities_id_seq') as id,
      v_ids[row_number() over (order by u.workspace_id, u.kind, u.value)] as customer_id
    from (
      select u.workspace_id, u.kind, u.value, min(u.i) as i, max(u.i) as last_i
      from uses as u
      group by u.workspace_id, u.kind, u.value
      order by u.workspace_id, u.kind, u.value
    ) as u
  ),
  made as (
    insert into public.identities (workspace_id, id, kind, value, customer_id, created_at)
    overriding system value
    -- The oldest id is the first of the batch.
    select f.workspace_id, f.id, f.kind, f.value, f.customer_id, p_at + f.i * interval '1 microsecond'
    from firsts as f order by f.workspace_id, f.kind, f.value
  ),
  people as (
    insert into public.customers (workspace_id, id, created_at, updated_at, last_seen_at)
    select f.workspace_id, f.customer_id, p_at, p_at, p_at
    from firsts as f
  ),
  counted as (
    insert into private.usage_deltas (workspace_id, at, customers)
    select f.workspace_id, p_at, count(*) from firsts as f group by f.workspace_id
  )
  select
    array_agg(row(
      c.workspace_id, c.kind, c.external_id, c.anon_id, c.previous_id, c.idempotency_key, c.event_id,
      coalesce(c.identity_id, f.id), coalesce(c.customer_id, f.customer_id), c.repeats,
      c.is_duplicate, c.unmerged_reason, c.refused_code, c.refused_field
    )::private.ingest_entry order by c.ordinality),
    array_agg(
      row(f.id, f.workspace_id, f.customer_id, f.kind, f.entry_kind, f.i, f.last_i)::private.created_identity
      order by f.i
    ) filter (where f.i = c.ordinality)
  into o_entries, o_created
  from unnest(p_entries) with ordinality as c
  left join firsts as f
    on f.workspace_id = c.workspace_id
    and f.kind = case when c.external_id is null then 'anon' else 'external' end
    and f.value = coalesce(c.external_id, c.anon_id);
  perform set_config('signalpost.creates_customers', 'off', true);
exception when unique_violation then
  -- Another call was first. Expecting that for each row costs a sixth of the whole.
  o_created := private.create_identities(p_entries, p_at);
  o_entries := private.resolve_entries(p_entries);
end
$$;
comment on function private.create_event_identities(private.ingest_entry[], timestamptz) is
  'Creates the unknown identities of a batch of events and their customers. Returns the entries with them, and what it created.';
