-- Purpose: one call that stores a batch of events, identifies and aliases of any workspaces.
-- Locks:   in this order, so that no two batches can wait for each other in a circle: the
--          workspaces (shared, advisory), the customers that identifies and aliases touch (by id),
--          new identities (by value), idempotency keys (by key). A race lost on the way raises
--          40001 and the caller sends the batch again.
-- Risk:    none.
-- Undo:    drop the functions.

create function private.remember_keys(p_calls private.ingest_call[], p_at timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_wanted integer;
  v_won integer;
begin
  with wanted as (
    select c.workspace_id, c.idempotency_key as key, c.event_id, c.customer_id
    from unnest(p_calls) as c
    where c.idempotency_key is not null and not c.is_duplicate and c.repeats is null
      and c.unknown_field is null
  ),
  won as (
    insert into private.idempotency_keys as k (workspace_id, key, event_id, customer_id, created_at)
    select w.workspace_id, w.key, w.event_id, w.customer_id, p_at
    from wanted as w
    order by w.workspace_id, w.key
    on conflict (workspace_id, key) do update
    set event_id = excluded.event_id, customer_id = excluded.customer_id, created_at = p_at
    where k.created_at <= p_at - interval '24 hours'
    returning 1
  )
  select (select count(*) from wanted), (select count(*) from won) into v_wanted, v_won;

  if v_won < v_wanted then
    raise exception 'Cannot remember idempotency keys: another call was first' using errcode = '40001';
  end if;
end
$$;
comment on function private.remember_keys(private.ingest_call[], timestamptz) is
  'Claims the idempotency keys of the batch; 40001 when another transaction claimed one meanwhile.';

create function private.touch_customers(p_calls private.ingest_call[], p_at timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- A minute is exact enough, and skipping locked rows keeps this outside the order of locks.
  with due as (
    select distinct c.workspace_id, c.customer_id
    from unnest(p_calls) as c
    where not c.is_duplicate and c.customer_id is not null
  ),
  free as (
    select p.workspace_id, p.id
    from public.customers as p
    join due as d on d.workspace_id = p.workspace_id and d.customer_id = p.id
    where p.last_seen_at < p_at - interval '1 minute'
    for no key update of p skip locked
  )
  update public.customers as p
  set last_seen_at = p_at
  from free as f
  where p.workspace_id = f.workspace_id and p.id = f.id;
end
$$;
comment on function private.touch_customers(private.ingest_call[], timestamptz) is
  'Sets last_seen_at of the customers of the batch where it is over a minute old.';

create function private.store_events(
  p_calls private.ingest_call[],
  p_entries jsonb,
  p_at timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  with stored as (
    insert into public.events (
      workspace_id, id, kind, identity_id, external_id, anon_id, name, occurred_at, received_at,
      properties, context
    )
    select
      c.workspace_id, c.event_id, c.kind, c.identity_id, c.external_id, c.anon_id, c.name,
      coalesce(date_trunc('milliseconds', c.occurred_at), p_at), p_at,
      case c.kind
        when 'event' then coalesce(c.properties, '{}')
        when 'alias' then jsonb_build_object('previous_id', c.previous_id)
        else coalesce(c.profile, '{}')
          || case when c.attributes is null then '{}'
               else jsonb_build_object('attributes', c.attributes) end
      end,
      coalesce(c.context, '{}')
    from rows from (
      unnest(p_calls),
      jsonb_to_recordset(p_entries) as (
        name text, occurred_at timestamptz, properties jsonb, context jsonb, profile jsonb,
        attributes jsonb
      )
    ) as c (
      workspace_id, kind, external_id, anon_id, previous_id, idempotency_key, event_id,
      identity_id, customer_id, repeats, is_duplicate, unmerged_reason, unknown_field,
      name, occurred_at, properties, context, profile, attributes
    )
    where not c.is_duplicate and c.repeats is null and c.unknown_field is null
    returning workspace_id, name
  )
  insert into private.usage_deltas (workspace_id, at, name, events)
  select s.workspace_id, p_at, s.name, count(*) from stored as s group by s.workspace_id, s.name;
end
$$;
comment on function private.store_events(private.ingest_call[], jsonb, timestamptz) is
  'Stores the entries of the batch that are neither duplicates nor refused, and notes how many for the usage figures.';

create function private.event_messages(
  p_calls private.ingest_call[],
  p_entries jsonb,
  p_listening uuid[],
  p_at timestamptz
)
returns private.new_message[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return array(
    select row(
      c.workspace_id, c.name,
      jsonb_build_object(
        'event_id', c.event_id,
        'customer_id', c.customer_id,
        'external_id', c.external_id,
        'anon_id', c.anon_id,
        'name', c.name,
        'occurred_at', private.rfc3339(coalesce(c.occurred_at, p_at)),
        'received_at', private.rfc3339(p_at),
        'properties', coalesce(c.properties, '{}'),
        'context', coalesce(c.context, '{}')
      ),
      c.customer_id, null
    )::private.new_message
    from rows from (
      unnest(p_calls),
      jsonb_to_recordset(p_entries) as (
        name text, occurred_at timestamptz, properties jsonb, context jsonb
      )
    ) with ordinality as c (
      workspace_id, kind, external_id, anon_id, previous_id, idempotency_key, event_id,
      identity_id, customer_id, repeats, is_duplicate, unmerged_reason, unknown_field,
      name, occurred_at, properties, context, i
    )
    where c.kind = 'event' and not c.is_duplicate and c.repeats is null
      and c.workspace_id = any (p_listening)
    order by c.i
  );
end
$$;
comment on function private.event_messages(private.ingest_call[], jsonb, uuid[], timestamptz) is
  'One message for each event of the batch that is stored in a listening workspace.';

create function private.ingest_results(p_calls private.ingest_call[])
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return (
    select jsonb_agg(
      case
        when c.unknown_field is not null then jsonb_build_object(
          'ok', false, 'code', 'not_found', 'field', c.unknown_field,
          'error', format(
            'Cannot merge: no customer has the %s "%s"', c.unknown_field,
            case c.unknown_field when 'external_id' then c.external_id else c.previous_id end
          )
        )
        when c.is_duplicate or c.repeats is not null then jsonb_build_object(
          'ok', true, 'event_id', r.event_id, 'customer_id', r.customer_id, 'duplicate', true
        )
        when c.unmerged_reason is not null then jsonb_build_object(
          'ok', true, 'event_id', r.event_id, 'customer_id', r.customer_id,
          'merged', false, 'reason', c.unmerged_reason
        )
        else jsonb_build_object(
          'ok', true, 'event_id', r.event_id, 'customer_id', r.customer_id
        )
      end
      order by c.ordinality
    )
    from unnest(p_calls) with ordinality as c
    -- A repeated key is answered with what the first entry of that key was answered with.
    left join lateral (
      select f.* from unnest(p_calls) with ordinality as f where f.ordinality = c.repeats
    ) as f on c.repeats is not null
    cross join lateral (
      select
        coalesce(f.event_id, c.event_id) as event_id,
        coalesce(f.customer_id, c.customer_id) as customer_id
    ) as r
  );
end
$$;
comment on function private.ingest_results(private.ingest_call[]) is
  'The answers to the entries, in order: ids, duplicate, merged and reason, or what is unknown.';

create function private.workspace_lock(p_workspace_id uuid)
returns bigint
language sql
immutable
security invoker
set search_path = ''
as $$
  select hashtextextended(p_workspace_id::text, 7)
$$;
comment on function private.workspace_lock(uuid) is
  'The advisory lock of a workspace: shared by ingest, exclusive for erasure.';

create function private.part_starts(p_calls private.ingest_call[])
returns integer[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_starts integer[] := array[1];
  v_repeat record;
begin
  for v_repeat in
    select k.i, k.previous_i
    from (
      select
        c.ordinality::integer as i,
        lag(c.ordinality::integer) over repeats as previous_i,
        lag(c.kind) over repeats as previous_kind
      from unnest(p_calls) with ordinality as c
      where c.idempotency_key is not null and not c.is_duplicate
      window repeats as (partition by c.workspace_id, c.idempotency_key order by c.ordinality)
    ) as k
    where k.previous_kind = 'alias'
    order by k.i
  loop
    if v_repeat.previous_i >= v_starts[cardinality(v_starts)] then
      v_starts := v_starts || v_repeat.i;
    end if;
  end loop;
  return v_starts;
end
$$;
comment on function private.part_starts(private.ingest_call[]) is
  'Where the batch must be parted: an alias may be refused, which frees its key for the entry that repeats it, so that both cannot be told apart in one go.';

create function private.ingest_parts(p_entries jsonb, p_starts integer[])
returns jsonb
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
      from jsonb_array_elements(p_entries) with ordinality as e
      where e.ordinality >= p_starts[v_part]
        and (v_part = cardinality(p_starts) or e.ordinality < p_starts[v_part + 1])
    )::text);
  end loop;
  return v_results;
end
$$;
comment on function private.ingest_parts(jsonb, integer[]) is
  'Stores a batch part by part, in one transaction, and joins the answers.';

create function private.ingest(p_entries text)
returns jsonb
language plpgsql
volatile
-- Definer: the roles that ingest may execute this and read or write no table.
security definer
set search_path = ''
-- A plan made while a table was small must not scan it when it has grown.
set enable_seqscan = 'off'
as $$
declare
  v_entries jsonb := p_entries::jsonb;
  v_at timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_calls private.ingest_call[] := private.read_calls(v_entries, v_at);
  v_workspace_ids uuid[] := array(select distinct c.workspace_id from unnest(v_calls) as c order by 1);
  v_listening uuid[] := private.listening_workspaces(v_workspace_ids);
  v_changes boolean := exists (select from unnest(v_calls) as c where c.kind <> 'event');
  v_starts integer[] := case when v_changes then private.part_starts(v_calls) end;
  v_created private.created_identity[] := '{}';
  v_messages private.new_message[] := '{}';
begin
  if cardinality(v_starts) > 1 then
    return private.ingest_parts(v_entries, v_starts);
  end if;
  -- Erasure holds the same locks exclusively: nothing is stored on an identity being erased.
  perform pg_advisory_xact_lock_shared(private.workspace_lock(w)) from unnest(v_workspace_ids) as w;
  if v_changes then
    perform private.lock_involved_customers(v_calls);
  end if;

  v_calls := private.resolve_calls(v_calls);
  if v_changes or exists (
    select from unnest(v_calls) as c
    where c.identity_id is null and not c.is_duplicate and c.repeats is null
  ) then
    v_created := private.create_identities(v_calls, v_at);
    v_calls := private.resolve_calls(v_calls);
  end if;
  if v_changes or cardinality(v_listening) > 0 then
    select a.p_calls, coalesce(a.o_messages, '{}') into v_calls, v_messages
    from private.apply_calls(v_calls, v_entries, v_created, v_listening, v_at) as a;
    v_calls := private.resolve_calls(v_calls);
  end if;

  perform private.remember_keys(v_calls, v_at);
  perform private.store_events(v_calls, v_entries, v_at);
  perform private.touch_customers(v_calls, v_at);
  if cardinality(v_listening) > 0 then
    perform private.publish_messages(
      v_messages || private.event_messages(v_calls, v_entries, v_listening, v_at)
    );
  end if;
  return private.ingest_results(v_calls);
end
$$;
comment on function private.ingest(text) is
  'Stores a batch of entries (a JSON array, see docs/architecture.md) in one transaction and answers each in order. 40001 and 40P01: send it again.';
revoke execute on function private.ingest(text) from public;
grant execute on function private.ingest(text) to signalpost_ingest;
