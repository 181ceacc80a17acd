-- Purpose: how a profile changes and how two records become one.
-- Locks:   rows of the customers concerned, which the caller has locked already.
-- Risk:    none.
-- Undo:    drop the functions.

create function private.merge_customers(
  p_workspace_id uuid,
  p_survivor_id uuid,
  p_merged_id uuid,
  p_cause text,
  p_at timestamptz
)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_merged public.customers;
  v_identities public.identities[];
begin
  with moved as (
    update public.identities as i
    set customer_id = p_survivor_id
    where i.workspace_id = p_workspace_id and i.customer_id = p_merged_id
    returning i.*
  )
  select array_agg(m::public.identities order by m.created_at, m.id) into v_identities
  from moved as m;

  update public.device_tokens as t
  set customer_id = p_survivor_id
  where t.workspace_id = p_workspace_id and t.customer_id = p_merged_id;

  update public.customer_merges as m
  set customer_id = p_survivor_id
  where m.workspace_id = p_workspace_id and m.customer_id = p_merged_id;

  delete from public.customers as c
  where c.workspace_id = p_workspace_id and c.id = p_merged_id
  returning c.* into strict v_merged;

  update public.customers as c
  set
    email = coalesce(c.email, v_merged.email),
    phone = coalesce(c.phone, v_merged.phone),
    first_name = coalesce(c.first_name, v_merged.first_name),
    last_name = coalesce(c.last_name, v_merged.last_name),
    country = coalesce(c.country, v_merged.country),
    attributes = v_merged.attributes || c.attributes,
    created_at = least(c.created_at, v_merged.created_at),
    last_seen_at = greatest(c.last_seen_at, v_merged.last_seen_at),
    updated_at = p_at
  where c.workspace_id = p_workspace_id and c.id = p_survivor_id;

  insert into public.customer_merges
    (workspace_id, customer_id, merged_customer_id, cause, identity_ids, profile, merged_at)
  values (
    p_workspace_id, p_survivor_id, p_merged_id, p_cause,
    array(select i.id from unnest(v_identities) as i),
    to_jsonb(v_merged) - array['workspace_id', 'id'] || jsonb_build_object(
      'created_at', private.rfc3339(v_merged.created_at),
      'updated_at', private.rfc3339(v_merged.updated_at),
      'last_seen_at', private.rfc3339(v_merged.last_seen_at)
    ),
    p_at
  );

  return jsonb_build_object(
    'customer_id', p_merged_id,
    'external_ids', coalesce((
      select jsonb_agg(i.value) from unnest(v_identities) as i where i.kind = 'external'
    ), '[]'),
    'anon_ids', coalesce((
      select jsonb_agg(i.value) from unnest(v_identities) as i where i.kind = 'anon'
    ), '[]')
  );
end
$$;
comment on function private.merge_customers(uuid, uuid, uuid, text, timestamptz) is
  'Moves identities, device tokens and trail of the merged customer to the survivor, fills the survivor''s blanks and deletes the record. Costs the same however many events there are. Both rows must be locked by the caller.';

create function private.change_profile(
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

  -- A field left out keeps its value, an explicit null clears it.
  v_new := jsonb_populate_record(v_old, coalesce(p_profile, '{}'));
  v_new.attributes := (coalesce(v_new.attributes, '{}') || coalesce(p_attributes, '{}')) - array(
    select a.key from jsonb_each(coalesce(p_attributes, '{}')) as a where a.value = 'null'
  );
  v_changed := array_remove(array[
    case when v_new.email is distinct from v_old.email then 'email' end,
    case when v_new.phone is distinct from v_old.phone then 'phone' end,
    case when v_new.first_name is distinct from v_old.first_name then 'first_name' end,
    case when v_new.last_name is distinct from v_old.last_name then 'last_name' end,
    case when v_new.country is distinct from v_old.country then 'country' end,
    case when v_new.attributes is distinct from v_old.attributes then 'attributes' end
  ], null);

  if cardinality(v_changed) > 0 then
    update public.customers as c
    set
      email = v_new.email,
      phone = v_new.phone,
      first_name = v_new.first_name,
      last_name = v_new.last_name,
      country = v_new.country,
      attributes = v_new.attributes,
      updated_at = p_at
    where c.workspace_id = p_workspace_id and c.id = p_customer_id;
  end if;
  return v_changed;
end
$$;
comment on function private.change_profile(uuid, uuid, jsonb, jsonb, timestamptz) is
  'Merges profile fields and attributes into the customer (null clears, left out keeps) and returns the names of the fields that changed. p_profile may hold profile columns, and attributes only where null clears them all.';
