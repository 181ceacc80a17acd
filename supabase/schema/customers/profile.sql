-- Purpose: how a profile changes.
-- Locks:   none; the caller has locked the customers.

create or replace function private.profile_fields()
returns text[]
language sql
immutable
security invoker
set search_path = ''
as $$
  select '{email, phone, first_name, last_name, country, timezone, locale}'::text[]
$$;
comment on function private.profile_fields() is
  'The profile columns of a customer, in the order in which they are shown.';

create or replace function private.are_attributes_too_large(p_attributes jsonb)
returns boolean
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return octet_length(p_attributes::text) > 65536
    or (select count(*) from jsonb_object_keys(p_attributes)) > 1000;
end
$$;
comment on function private.are_attributes_too_large(jsonb) is
  'True when attributes are over what one customer may have: 64 KiB of JSON and 1,000 keys.';

create or replace function private.change_fields(
  p_customer public.customers,
  p_profile jsonb,
  p_attributes jsonb
)
returns public.customers
language plpgsql
immutable
security invoker
set search_path = ''
as $$
declare
  -- A field left out keeps its value, an explicit null clears it.
  v_new public.customers := jsonb_populate_record(p_customer, coalesce(p_profile, '{}'));
  v_defaults jsonb := p_profile -> 'defaults';
begin
  if v_defaults is not null then
    v_new := jsonb_populate_record(v_new, (
      select coalesce(jsonb_object_agg(d.key, d.value), '{}')
      from jsonb_each(v_defaults) as d
      where not p_profile ? d.key and to_jsonb(v_new) ->> d.key is null
        and d.key = any (private.profile_fields())
    ));
  end if;
  v_new.attributes := coalesce(v_new.attributes, '{}');
  if p_attributes is not null then
    v_new.attributes := (v_new.attributes || p_attributes) - array(
      select a.key from jsonb_each(p_attributes) as a where a.value = 'null'
    );
  end if;
  return v_new;
end
$$;
comment on function private.change_fields(public.customers, jsonb, jsonb) is
  'The customer with profile fields and attributes merged into it. Null clears a field, and an omitted field keeps its value. p_profile may hold profile columns, attributes where null clears them all, and defaults: values for columns that are null and that it does not name.';

create or replace function private.store_customer(p_customer public.customers)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into public.customers (
    workspace_id, id, email, phone, first_name, last_name, country, timezone, locale, attributes,
    created_at, updated_at, last_seen_at
  )
  values (
    p_customer.workspace_id, p_customer.id, p_customer.email, p_customer.phone,
    p_customer.first_name, p_customer.last_name, p_customer.country, p_customer.timezone,
    p_customer.locale, p_customer.attributes, p_customer.created_at, p_customer.updated_at,
    p_customer.last_seen_at
  )
$$;
comment on function private.store_customer(public.customers) is
  'Creates a customer with all its columns, except those that Postgres generates.';

create or replace function private.changed_fields(p_old public.customers, p_new public.customers)
returns text[]
language plpgsql
immutable
security invoker
set search_path = ''
as $$
declare
  v_old jsonb;
  v_new jsonb;
  v_changed text[];
  v_is_changed boolean := p_new.attributes is distinct from p_old.attributes;
begin
  -- The largest part of a profile need not be written out to be compared.
  p_old.attributes := null;
  p_new.attributes := null;
  if p_old is distinct from p_new then
    v_old := to_jsonb(p_old);
    v_new := to_jsonb(p_new);
    v_changed := array(
      select f.name
      from unnest(private.profile_fields()) with ordinality as f (name, position)
      where v_new -> f.name is distinct from v_old -> f.name
      order by f.position
    );
  end if;
  return case when v_is_changed then array_append(v_changed, 'attributes') else coalesce(v_changed, '{}') end;
end
$$;
comment on function private.changed_fields(public.customers, public.customers) is
  'The names of the profile fields that differ.';

create or replace function private.fill_blanks(p_survivor public.customers, p_merged public.customers)
returns public.customers
language plpgsql
immutable
security invoker
set search_path = ''
as $$
declare
  v_own jsonb;
  v_attributes jsonb := p_merged.attributes || p_survivor.attributes;
begin
  p_merged.created_at := least(p_survivor.created_at, p_merged.created_at);
  p_merged.last_seen_at := greatest(p_survivor.last_seen_at, p_merged.last_seen_at);
  p_survivor.created_at := null;
  p_survivor.last_seen_at := null;
  p_survivor.attributes := null;
  v_own := jsonb_strip_nulls(to_jsonb(p_survivor));
  p_merged := jsonb_populate_record(p_merged, v_own);
  p_merged.attributes := v_attributes;
  return p_merged;
end
$$;
comment on function private.fill_blanks(public.customers, public.customers) is
  'The survivor of a merge: its own values win, and missing ones come from the merged record.';

create or replace function private.fit_attributes(p_own jsonb, p_others jsonb)
returns jsonb
language plpgsql
immutable
security invoker
set search_path = ''
as $$
declare
  v_room integer := 65536 - octet_length(p_own::text);
  v_keys integer := 1000 - (select count(*) from jsonb_object_keys(p_own));
begin
  return (
    select coalesce(jsonb_object_agg(f.key, f.value), '{}')
    from (
      select
        o.key, o.value, row_number() over shortest as position,
        -- With the colon, the comma and two spaces.
        sum(octet_length(to_json(o.key)::text) + octet_length(o.value::text) + 4) over shortest as bytes
      from jsonb_each(p_others) as o
      where not p_own ? o.key
      window shortest as (
        order by octet_length(o.value::text), o.key rows unbounded preceding
      )
    ) as f
    where f.position <= v_keys and f.bytes <= v_room
  ) || p_own;
end
$$;
comment on function private.fit_attributes(jsonb, jsonb) is
  'Attributes of a survivor, with as many of the merged record''s as one customer may have, the shortest first.';

create or replace function private.change_profile(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_profile jsonb,
  p_attributes jsonb,
  p_at timestamptz
)
returns text[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_old public.customers;
  v_new public.customers;
  v_changed text[];
begin
  select c.* into strict v_old
  from public.customers as c
  where c.workspace_id = p_workspace_id and c.id = p_customer_id
  for update;
  v_new := private.change_fields(v_old, p_profile, p_attributes);
  if private.are_attributes_too_large(v_new.attributes) then
    raise sqlstate 'SP413' using message = private.attributes_refusal(), column = 'attributes';
  end if;
  v_changed := private.changed_fields(v_old, v_new);
  if cardinality(v_changed) > 0 then
    v_new.updated_at := p_at;
    perform private.write_customers(array[v_new]);
  end if;
  return v_changed;
end
$$;
comment on function private.change_profile(uuid, uuid, jsonb, jsonb, timestamptz) is
  'Changes one profile as private.change_fields says and returns the names of the fields that changed; SP413 when its attributes would be too large.';

create or replace function private.write_customers(p_customers public.customers[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update public.customers as c
  set
    email = n.email,
    phone = n.phone,
    first_name = n.first_name,
    last_name = n.last_name,
    country = n.country,
    timezone = n.timezone,
    locale = n.locale,
    attributes = n.attributes,
    created_at = n.created_at,
    updated_at = n.updated_at,
    last_seen_at = n.last_seen_at
  from unnest(p_customers) as n
  -- By key, one at a time: a join may be planned as a scan of all customers.
  cross join lateral (
    select o.ctid as row_id
    from public.customers as o
    where o.workspace_id = n.workspace_id and o.id = n.id
    limit 1
  ) as o
  where c.ctid = o.row_id;
end
$$;
comment on function private.write_customers(public.customers[]) is
  'Writes the profiles of customers whose rows the caller holds locked, all in one statement.';

create or replace function private.attributes_refusal()
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select 'Cannot change the customer: its attributes must not be over 65536 bytes of JSON or 1000 keys together'
$$;
comment on function private.attributes_refusal() is
  'The error text for attributes over the limit of one customer.';
