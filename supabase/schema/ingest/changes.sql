-- Purpose: which customer each identify and alias of a batch leads to, including merges.
-- Locks:   none beyond those the batch holds already.

create or replace function private.is_overfull(p_workspace_id uuid, p_survivor_id uuid, p_merged_id uuid)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return exists (
    select
    from (values ('external'), ('anon')) as k (kind)
    where private.count_ids(p_workspace_id, p_survivor_id, k.kind)
      + private.count_ids(p_workspace_id, p_merged_id, k.kind) > private.id_limit()
  );
end
$$;
comment on function private.is_overfull(uuid, uuid, uuid) is
  'True when two customers together have more ids of a kind than one may have.';

create or replace function private.find_known(p_step private.ingest_step)
returns private.ingest_step
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- An id without a customer so far belongs to a later entry, and stays unknown to this one.
  if p_step.identity_id is null or p_step.customer_id is not null then
    select d.id, d.customer_id into p_step.identity_id, p_step.customer_id
    from public.identities as d
    where d.workspace_id = p_step.workspace_id and d.kind = 'external'
      and d.value = p_step.external_id;
  end if;
  if p_step.other_identity_id is null or p_step.other_customer_id is not null then
    select d.id, d.customer_id into p_step.other_identity_id, p_step.other_customer_id
    from public.identities as d
    where d.workspace_id = p_step.workspace_id
      and d.kind = case p_step.kind when 'identify' then 'anon' else 'external' end
      and d.value = p_step.other_id;
  end if;
  return p_step;
end
$$;
comment on function private.find_known(private.ingest_step) is
  'The step with its ids looked up again, after an earlier step moved or added some.';

create or replace function private.read_segment_alias(
  p_step private.ingest_step,
  p_created private.created_identity[],
  p_at timestamptz
)
returns private.ingest_step
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  p_step.kind := 'alias';
  if p_step.other_customer_id is null then
    p_step.kind := 'identify';
    p_step.other_identity_id := null;
    select d.id, d.customer_id into p_step.other_identity_id, p_step.other_customer_id
    from public.identities as d
    where d.workspace_id = p_step.workspace_id and d.kind = 'anon' and d.value = p_step.other_id
      and not exists (select from unnest(p_created) as c where c.identity_id = d.id and c.i > p_step.i);
    if p_step.other_customer_id is null then
      p_step.refused_code := 'not_found';
      p_step.refused_field := 'previous_id';
      return p_step;
    end if;
  end if;
  if p_step.customer_id is not null then
    return p_step;
  end if;

  p_step.customer_id := p_step.other_customer_id;
  if p_step.kind = 'identify' then
    p_step.is_creator := true;
    insert into public.customers (workspace_id, created_at, updated_at, last_seen_at)
    values (p_step.workspace_id, p_at, p_at, p_at)
    returning id into p_step.customer_id;
    insert into private.usage_deltas (workspace_id, at, customers)
    values (p_step.workspace_id, p_at, 1);
    perform private.note_customers(p_step.workspace_id, 'created', array[p_step.customer_id]);
  elsif private.count_ids(p_step.workspace_id, p_step.customer_id, 'external') >= private.id_limit() then
    p_step.refused_code := 'payload_too_large';
    p_step.refused_field := 'external_id';
    return p_step;
  end if;
  insert into public.identities (workspace_id, kind, value, customer_id, created_at)
  values (
    p_step.workspace_id, 'external', p_step.external_id, p_step.customer_id,
    p_at + p_step.i * interval '1 microsecond'
  )
  on conflict on constraint identities_workspace_id_value_kind_key do nothing
  returning id into p_step.identity_id;
  if not found then
    raise exception 'Cannot add an id: another call was first' using errcode = '40001';
  end if;
  return p_step;
end
$$;
comment on function private.read_segment_alias(private.ingest_step, private.created_identity[], timestamptz) is
  'Resolves an alias of Segment''s format when its turn comes: an identify if the previous id is an anonymous one, otherwise an alias. An unknown external id becomes one of the previous id''s customer, or for an identify a new customer. Raises 40001 if another transaction was first.';

create or replace function private.resolve_step(
  p_step private.ingest_step,
  p_created private.created_identity[],
  p_has_moved boolean,
  p_at timestamptz
)
returns private.ingest_step
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if p_has_moved then
    p_step := private.find_known(p_step);
  end if;
  if p_step.kind = 'segment_alias' then
    p_step := private.read_segment_alias(p_step, p_created, p_at);
  elsif p_step.kind = 'alias' and (p_step.customer_id is null or p_step.other_customer_id is null) then
    p_step.refused_code := 'not_found';
    p_step.refused_field :=
      case when p_step.customer_id is null then 'external_id' else 'previous_id' end;
  end if;
  if p_step.refused_code is not null then
    return p_step;
  end if;
  p_step.customer_id := coalesce(p_step.customer_id, p_step.other_customer_id);
  p_step.is_merge := coalesce(p_step.other_customer_id <> p_step.customer_id, false);
  if p_step.is_merge and p_step.kind = 'identify'
    and private.is_identified(p_step.workspace_id, p_step.other_customer_id)
  then
    p_step.is_merge := false;
    p_step.unmerged_reason := 'anon_id_belongs_to_another_customer';
  elsif p_step.is_merge
    and private.is_overfull(p_step.workspace_id, p_step.customer_id, p_step.other_customer_id)
  then
    p_step.refused_code := 'payload_too_large';
    p_step.refused_field := case p_step.kind when 'alias' then 'previous_id' else 'anon_id' end;
  end if;
  return p_step;
end
$$;
comment on function private.resolve_step(private.ingest_step, private.created_identity[], boolean, timestamptz) is
  'Decides which customer a step is about and whether it merges another one into it, or refuses it. Ids are looked up again when an earlier step has moved or added some.';

create or replace function private.lock_customer(p_workspace_id uuid, p_customer_id uuid)
returns public.customers
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_customer public.customers;
begin
  select c.* into strict v_customer
  from public.customers as c
  where c.workspace_id = p_workspace_id and c.id = p_customer_id
  for update;
  return v_customer;
end
$$;
comment on function private.lock_customer(uuid, uuid) is
  'Locks and returns the row of a customer.';

create or replace function private.created_customers(
  p_created private.created_identity[],
  p_subscriptions private.subscription[]
)
returns private.customer_change[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if not exists (select from unnest(p_subscriptions) as s where s.event_type like 'customer.%') then
    return '{}';
  end if;
  return array(
    select row(c.workspace_id, c.customer_id, c.i, true, null, '{}')::private.customer_change
    from unnest(p_created) as c
    where c.kind = 'external' and c.entry_kind = 'event'
  );
end
$$;
comment on function private.created_customers(private.created_identity[], private.subscription[]) is
  'The customers that events of the batch created, if a destination subscribes to customer events.';

create or replace function private.apply_entries(
  inout p_entries private.ingest_entry[],
  p_inputs jsonb,
  p_created private.created_identity[],
  p_subscriptions private.subscription[],
  p_at timestamptz,
  out o_messages private.new_message[]
)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_is_wanted boolean := cardinality(p_subscriptions) > 0;
  v_changes private.customer_change[] := private.created_customers(p_created, p_subscriptions);
  v_step private.ingest_step;
  v_change private.customer_change;
  -- Profiles are changed in memory and written once, however many entries are about a customer.
  v_ids uuid[] := '{}';
  v_profiles public.customers[] := '{}';
  v_at integer;
  v_old public.customers;
  v_new public.customers;
  v_other public.customers;
  v_has_moved boolean := false;
begin
  o_messages := '{}';
  for v_step in select s.* from private.read_steps(p_entries, p_inputs, p_created) as s loop
    v_step := private.resolve_step(v_step, p_created, v_has_moved, p_at);
    v_change := row(
      v_step.workspace_id, v_step.customer_id, v_step.i, v_step.is_creator, null, '{}'
    )::private.customer_change;
    if v_step.refused_code is null and (v_step.kind = 'identify' or v_step.is_merge) then
      v_at := array_position(v_ids, v_step.customer_id);
      if v_at is null then
        v_ids := v_ids || v_step.customer_id;
        v_at := cardinality(v_ids);
        v_profiles[v_at] := private.lock_customer(v_step.workspace_id, v_step.customer_id);
      end if;
      v_old := v_profiles[v_at];
      v_new := private.change_fields(v_old, v_step.profile, v_step.attributes);
      if v_step.attributes is not null and private.are_attributes_too_large(v_new.attributes) then
        v_step.refused_code := 'payload_too_large';
        v_step.refused_field := 'attributes';
      else
        if v_step.is_merge then
          v_other := v_profiles[array_position(v_ids, v_step.other_customer_id)];
          if v_other.id is null then
            v_other := private.lock_customer(v_step.workspace_id, v_step.other_customer_id);
          end if;
          select t.p_changes, o_messages || t.o_told into v_changes, o_messages
          from private.take_changes(v_changes, v_other, p_subscriptions) as t;
          v_change.merged := private.move_customer(v_step.customer_id, v_other, v_step.kind, p_at);
          v_new := private.merge_fields(v_old, v_other, v_step.profile, v_step.attributes);
          v_old := private.fill_blanks(v_old, v_other);
          v_has_moved := true;
        end if;
        if v_step.kind = 'identify' then
          v_change.changed := private.changed_fields(v_old, v_new);
        end if;
        if v_step.is_merge or cardinality(v_change.changed) > 0 then
          v_new.updated_at := p_at;
          v_profiles[v_at] := v_new;
        end if;
        if v_is_wanted then
          v_changes := v_changes || v_change;
        end if;
      end if;
    end if;
    if v_step.refused_code is not null and v_step.is_link then
      perform private.unlink_identity(v_step, p_at);
      v_has_moved := true;
    end if;
    if p_entries[v_step.i].kind = 'segment_alias' then
      p_entries[v_step.i].kind := v_step.kind;
      p_entries[v_step.i].anon_id := case v_step.kind when 'identify' then v_step.other_id end;
      v_has_moved := true;
    end if;
    p_entries[v_step.i].unmerged_reason := v_step.unmerged_reason;
    p_entries[v_step.i].refused_code := v_step.refused_code;
    p_entries[v_step.i].refused_field := v_step.refused_field;
  end loop;
  perform private.write_customers(array(
    select p::public.customers from unnest(v_profiles) as p where p.updated_at = p_at
  ));
  if cardinality(v_changes) > 0 then
    o_messages := o_messages || private.customer_messages(v_changes, p_subscriptions);
  end if;
end
$$;
comment on function private.apply_entries(private.ingest_entry[], jsonb, private.created_identity[], private.subscription[], timestamptz) is
  'Applies identifies and aliases one after the other in the order of the batch: merges, profile changes, and the messages about them.';
