-- Purpose: one call that stores a batch of events, identifies and aliases of any workspaces.
-- Locks:   in this order, so that no two batches can wait for each other in a circle: the
--          workspaces (shared, advisory), the customers that identifies and aliases touch (by id),
--          the rows of the workspaces (shared), new identities (by value), idempotency keys (by key).
--          A race lost on the way raises 40001 and the caller sends the batch again.

create or replace function private.refusal(p_code text, p_field text, p_value text)
returns text
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return case
    when p_field = 'attributes' then private.attributes_refusal()
    when p_code = 'not_found' then format('Cannot merge: no customer has the %s "%s"', p_field, p_value)
    else format(
      'Cannot add the %s "%s": a customer must not have over %s ids of a kind',
      p_field, p_value, private.id_limit()
    )
  end;
end
$$;
comment on function private.refusal(text, text, text) is
  'Error message for the caller of a refused entry, about the given field and value.';

create or replace function private.ingest_results(p_entries private.ingest_entry[])
returns json
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return (
    -- As text: building an object for each entry takes five times as long.
    select '[' || string_agg(
      case
        when c.refused_code is not null then jsonb_build_object(
          'ok', false, 'code', c.refused_code, 'field', c.refused_field,
          'error', private.refusal(c.refused_code, c.refused_field, case c.refused_field
            when 'external_id' then c.external_id
            when 'previous_id' then c.previous_id
            else c.anon_id
          end)
        )::text
        -- An entry with a repeated key gets the result of the first entry with that key.
        else '{"ok":true,"event_id":"' || coalesce((p_entries[c.repeats]).event_id, c.event_id)
          -- A null would leave the entry out, and the next one would get its place.
          || '","customer_id":'
          || coalesce('"' || coalesce((p_entries[c.repeats]).customer_id, c.customer_id) || '"', 'null')
          || case
            when c.is_duplicate or c.repeats is not null then ',"duplicate":true}'
            when c.unmerged_reason is not null
              then ',"merged":false,"reason":' || to_json(c.unmerged_reason) || '}'
            else '}'
          end
      end,
      ',' order by c.ordinality
    ) || ']'
    from unnest(p_entries) with ordinality as c
  );
end
$$;
comment on function private.ingest_results(private.ingest_entry[]) is
  'The results of the entries, in order: ids, duplicate, merged and reason, or what is unknown.';

create or replace function private.workspace_lock(p_workspace_id uuid)
returns bigint
-- In SQL, it would be planned again for each statement that calls it.
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return hashtextextended(p_workspace_id::text, 7);
end
$$;
comment on function private.workspace_lock(uuid) is
  'The advisory lock of a workspace: shared by ingest, exclusive for erasure.';

create or replace function private.part_starts(p_entries private.ingest_entry[])
returns integer[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_starts integer[] := array[1];
  v_later record;
begin
  for v_later in
    select k.i, k.previous_i
    from (
      select
        c.ordinality::integer as i,
        lag(c.ordinality::integer) over repeats as previous_i,
        lag(c.kind) over repeats as previous_kind
      from unnest(p_entries) with ordinality as c
      where c.idempotency_key is not null and not c.is_duplicate
      window repeats as (partition by c.workspace_id, c.idempotency_key order by c.ordinality)
    ) as k
    where k.previous_kind in ('identify', 'alias', 'segment_alias')
    union all
    select u.i, u.previous_i
    from (
      select
        c.ordinality::integer as i, c.workspace_id, c.kind, c.external_id,
        max(c.ordinality::integer) filter (where c.kind = 'segment_alias') over (
          partition by c.workspace_id, c.external_id order by c.ordinality
          rows between unbounded preceding and 1 preceding
        ) as previous_i
      from unnest(p_entries) with ordinality as c
      where c.external_id is not null
    ) as u
    where u.kind in ('event', 'identify') and u.previous_i is not null
      and not exists (
        select from public.identities as d
        where d.workspace_id = u.workspace_id and d.kind = 'external' and d.value = u.external_id
      )
    order by i
  loop
    if v_later.previous_i >= v_starts[cardinality(v_starts)] then
      v_starts := v_starts || v_later.i;
    end if;
  end loop;
  return v_starts;
end
$$;
comment on function private.part_starts(private.ingest_entry[]) is
  'Positions where the batch must be split: before an entry that repeats the key of an identify or alias, because the key is free if that one is refused; and before an entry on an id that an alias of Segment''s format may have added to a customer.';

create or replace function private.ingest_parts(p_inputs jsonb, p_starts integer[], p_workspace_id uuid)
returns json
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_results jsonb := '[]';
begin
  for v_part in 1 .. cardinality(p_starts) loop
    v_results := v_results || private.ingest((
      select jsonb_agg(e.value order by e.ordinality)
      from jsonb_array_elements(p_inputs) with ordinality as e
      where e.ordinality >= p_starts[v_part]
        and (v_part = cardinality(p_starts) or e.ordinality < p_starts[v_part + 1])
    )::text, p_workspace_id)::jsonb;
  end loop;
  return v_results;
end
$$;
comment on function private.ingest_parts(jsonb, integer[], uuid) is
  'Stores a batch part by part, in one transaction, and joins the results.';

create or replace function private.ingest(p_inputs text, p_workspace_id uuid default null)
returns json
language plpgsql
volatile
-- Definer: the roles that ingest may execute this and read or write no table.
security definer
set search_path = ''
-- A plan from when a table was small must not scan it after it has grown.
set enable_seqscan = 'off'
-- Compiling a statement takes longer than running it.
set jit = 'off'
-- Shorter than the timeout of a statement, which says that an entry needs too much work.
set lock_timeout = '8s'
as $$
declare
  v_inputs jsonb := p_inputs::jsonb;
  v_at timestamptz := private.start_ingest();
  v_entries private.ingest_entry[] := private.read_entries(v_inputs, p_workspace_id, v_at);
  v_workspace_ids uuid[];
  v_changes boolean;
  v_starts integer[];
  v_created private.created_identity[] := '{}';
  v_subscriptions private.subscription[] := '{}';
  v_named private.subscription[];
  v_messages private.new_message[] := '{}';
  v_stored record;
  v_lanes record;
  v_noted integer;
begin
  select array_agg(distinct c.workspace_id), coalesce(bool_or(c.kind <> 'event'), false)
  into v_workspace_ids, v_changes
  from unnest(v_entries) as c;
  if v_changes then
    v_starts := private.part_starts(v_entries);
  end if;
  if cardinality(v_starts) > 1 then
    return private.ingest_parts(v_inputs, v_starts, p_workspace_id);
  end if;
  -- Erasure holds the same locks exclusively: nothing is stored on an identity being erased.
  perform pg_advisory_xact_lock_shared(private.workspace_lock(w)) from unnest(v_workspace_ids) as w;
  if v_changes then
    perform private.lock_involved_customers(v_entries);
  end if;

  v_entries := private.resolve_entries(v_entries);
  if v_changes then
    v_entries := private.refuse_links(v_entries);
    perform private.require_workspaces(v_workspace_ids);
    v_created := private.create_identities(v_entries, v_at);
    v_entries := private.resolve_entries(v_entries);
  elsif exists (
    select from unnest(v_entries) as c
    where c.identity_id is null and not c.is_duplicate and c.repeats is null
  ) then
    perform private.require_workspaces(v_workspace_ids);
    select c.o_entries, c.o_created into v_entries, v_created
    from private.create_event_identities(v_entries, v_at) as c;
  end if;
  if v_changes then
    v_subscriptions := private.customer_subscriptions(v_workspace_ids);
    select a.p_entries, a.o_messages into v_entries, v_messages
    from private.apply_entries(v_entries, v_inputs, v_created, v_subscriptions, v_at) as a;
    v_entries := private.resolve_entries(v_entries);
  end if;

  perform private.remember_keys(v_entries, v_at);
  v_stored := private.store_events(v_entries, v_inputs, v_at);
  -- Unless each entry created its customer.
  if v_changes or cardinality(v_created) < cardinality(v_entries) then
    perform private.touch_customers(v_entries, v_inputs, v_at);
  end if;
  v_lanes := private.segmented_workspaces(v_workspace_ids);
  if cardinality(v_lanes.o_segmented) > 0 then
    v_noted := private.note_entries(v_entries, v_created, v_lanes.o_followed)
      + private.note_events(v_entries, v_inputs, v_lanes.o_segmented, v_at);
    if v_noted > 0 then
      perform private.wake_folder();
    end if;
  end if;
  -- Nothing is built before it is known that a destination wants its type.
  v_named := private.event_subscriptions(
    v_stored.o_workspace_ids, v_stored.o_names, case when not v_changes then v_created end
  );
  if cardinality(v_named) > 0 then
    if not v_changes and cardinality(v_created) > 0 then
      v_messages := private.customer_messages(private.created_customers(v_created, v_named), v_named);
    end if;
    v_messages := v_messages || private.event_messages(v_entries, v_inputs, v_named, v_at);
  end if;
  if cardinality(v_messages) > 0 then
    perform private.store_messages(v_messages, v_subscriptions || v_named);
  end if;
  return private.ingest_results(v_entries);
end
$$;
comment on function private.ingest(text, uuid) is
  'Stores a batch of entries (a JSON array, see docs/architecture.md) in one transaction and returns the result of each in order. An entry without workspace_id is of p_workspace_id, and one without kind is an event. Retry on 40001 and 40P01.';
revoke execute on function private.ingest(text, uuid) from public;
grant execute on function private.ingest(text, uuid) to signalpost_ingest;
