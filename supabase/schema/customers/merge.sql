-- Purpose: how two records of one customer become one.
-- Locks:   none; the caller has locked both customers.

create or replace function private.merge_fields(
  p_survivor public.customers,
  p_merged public.customers,
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
  v_new public.customers := private.change_fields(
    private.fill_blanks(p_survivor, p_merged), p_profile, p_attributes
  );
  v_own jsonb;
begin
  if private.are_attributes_too_large(v_new.attributes) then
    v_own := (private.change_fields(p_survivor, p_profile, p_attributes)).attributes;
    v_new.attributes := private.fit_attributes(
      v_own,
      -- Fields that the call set or removed must not come back from the merged record.
      p_merged.attributes - array(select jsonb_object_keys(coalesce(p_attributes, '{}')))
    );
  end if;
  return v_new;
end
$$;
comment on function private.merge_fields(public.customers, public.customers, jsonb, jsonb) is
  'The survivor of a merge with the call''s own fields on top. If the attributes of the survivor and the call are within the limit, so is the result: attributes of the merged record that do not fit are only in the history of merges.';

create or replace function private.pass_on_opt_outs(
  p_merged public.customers,
  p_survivor_id uuid,
  p_at timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform private.copy_opt_outs(
    p_merged.workspace_id,
    p_merged.former_addresses
      || private.address_hash(p_merged.workspace_id, 'email', p_merged.email),
    c.email,
    p_at
  )
  from public.customers as c
  where c.workspace_id = p_merged.workspace_id and c.id = p_survivor_id
    and coalesce(p_merged.email, p_merged.former_addresses::text) is not null
    and c.email is not null;
  if p_merged.former_addresses is not null then
    update public.customers as c
    set former_addresses = c.former_addresses || p_merged.former_addresses
    where c.workspace_id = p_merged.workspace_id and c.id = p_survivor_id and c.email is null;
  end if;
end
$$;
comment on function private.pass_on_opt_outs(public.customers, uuid, timestamptz) is
  'Copies the opt-outs of the merged customer''s addresses to that of the survivor, or to its next one.';

create or replace function private.move_customer(
  p_survivor_id uuid,
  p_merged public.customers,
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
  v_merged jsonb := jsonb_build_object(
    'customer_id', p_merged.id,
    'external_ids', private.newest_ids(p_merged.workspace_id, p_merged.id, 'external'),
    'external_ids_count', private.count_ids(p_merged.workspace_id, p_merged.id, 'external'),
    'anon_ids', private.newest_ids(p_merged.workspace_id, p_merged.id, 'anon'),
    'anon_ids_count', private.count_ids(p_merged.workspace_id, p_merged.id, 'anon')
  );
  v_identity_ids bigint[];
begin
  with moved as (
    update public.identities as i
    set customer_id = p_survivor_id
    where i.workspace_id = p_merged.workspace_id and i.customer_id = p_merged.id
    returning i.id, i.created_at
  )
  select array_agg(m.id order by m.created_at, m.id) into v_identity_ids from moved as m;

  update public.device_tokens as t
  set customer_id = p_survivor_id
  where t.workspace_id = p_merged.workspace_id and t.customer_id = p_merged.id;

  update public.customer_merges as m
  set customer_id = p_survivor_id
  where m.workspace_id = p_merged.workspace_id and m.customer_id = p_merged.id;

  perform private.pass_on_opt_outs(p_merged, p_survivor_id, p_at);

  delete from public.customers as c
  where c.workspace_id = p_merged.workspace_id and c.id = p_merged.id;

  insert into public.customer_merges
    (workspace_id, customer_id, merged_customer_id, cause, identity_ids, profile, merged_at)
  values (
    p_merged.workspace_id, p_survivor_id, p_merged.id, p_cause, coalesce(v_identity_ids, '{}'),
    to_jsonb(p_merged) - array['workspace_id', 'id', 'name_attribute', 'former_addresses'] || jsonb_build_object(
      'created_at', private.rfc3339(p_merged.created_at),
      'updated_at', private.rfc3339(p_merged.updated_at),
      'last_seen_at', private.rfc3339(p_merged.last_seen_at)
    ),
    p_at
  );
  perform private.merge_runs(p_merged.workspace_id, p_survivor_id, p_merged.id, p_at);
  -- After the runs, because their locks wait for steps that are about to send.
  update public.sends as s
  set customer_id = p_survivor_id
  where s.workspace_id = p_merged.workspace_id and s.customer_id = p_merged.id;
  perform private.note_merge(p_merged.workspace_id, p_survivor_id, p_merged.id);
  return v_merged;
end
$$;
comment on function private.move_customer(uuid, public.customers, text, timestamptz) is
  'Moves identities, device tokens and merge history of the merged customer to the survivor, deletes the record and keeps its profile in the history. Returns what messages say about it. The cost does not depend on the number of events. The caller has locked both rows, and writes the survivor.';
