-- Purpose: reads the entries of a batch and finds the identity and customer of each.
-- Locks:   see ingest/ingest.sql, which calls these in an order that cannot deadlock.

create or replace function private.mark_repeats(p_entries private.ingest_entry[])
returns private.ingest_entry[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_repeat record;
begin
  for v_repeat in
    select k.i, k.first_i
    from (
      select
        c.ordinality::integer as i,
        min(c.ordinality) over (partition by c.workspace_id, c.idempotency_key) as first_i
      from unnest(p_entries) with ordinality as c
      where c.idempotency_key is not null
    ) as k
    where k.first_i < k.i
  loop
    p_entries[v_repeat.i].repeats := v_repeat.first_i;
  end loop;
  return p_entries;
end
$$;
comment on function private.mark_repeats(private.ingest_entry[]) is
  'The entries; those with the idempotency key of an earlier one have its position.';

create or replace function private.read_entries(p_inputs jsonb, p_workspace_id uuid, p_at timestamptz)
returns private.ingest_entry[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_entries private.ingest_entry[];
begin
  v_entries := (
    select array_agg(row(n.*)::private.ingest_entry order by e.ordinality)
    from rows from (
      jsonb_to_recordset(p_inputs) as (
        workspace_id uuid, kind text, external_id text, anon_id text, previous_id text,
        idempotency_key text
      ),
      unnest(private.uuids_v7(p_at, jsonb_array_length(p_inputs)))
    ) with ordinality as e (
      own_workspace_id, kind, external_id, anon_id, previous_id, idempotency_key, new_event_id, ordinality
    )
    cross join lateral (select coalesce(e.own_workspace_id, p_workspace_id) as workspace_id) as w
    left join lateral (
      select s.event_id, s.customer_id
      from private.idempotency_keys as s
      where s.workspace_id = w.workspace_id
        and s.key = e.idempotency_key
        -- Not in a form that the index of created_at fits: while few keys are recent, a plan would
        -- read all recent ones for each entry, and later bulks would keep that plan.
        and s.created_at + interval '24 hours' > p_at
      limit 1
    ) as k on e.idempotency_key is not null
    cross join lateral (
      -- The fields of the type, in its order.
      select
        w.workspace_id,
        coalesce(e.kind, 'event') as kind,
        e.external_id,
        e.anon_id,
        e.previous_id,
        e.idempotency_key,
        coalesce(k.event_id, e.new_event_id) as event_id,
        null::bigint as identity_id,
        k.customer_id,
        null::bigint as repeats,
        k.event_id is not null as is_duplicate,
        null::text as unmerged_reason,
        null::text as refused_code,
        null::text as refused_field
    ) as n
  );
  if exists (
    select from unnest(v_entries) as c
    where c.idempotency_key is not null
    group by c.workspace_id, c.idempotency_key having count(*) > 1
  ) then
    v_entries := private.mark_repeats(v_entries);
  end if;
  return v_entries;
end
$$;
comment on function private.read_entries(jsonb, uuid, timestamptz) is
  'The entries of a batch, in order, with their event ids; entries whose key was seen before have the ids of the first call. Those that name no workspace are of p_workspace_id.';

create or replace function private.involved_customers(p_entries private.ingest_entry[])
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return array(
    select distinct i.customer_id
    from unnest(p_entries) as c
    cross join lateral (
      values
        ('external', c.external_id), ('anon', c.anon_id), ('external', c.previous_id),
        ('anon', case c.kind when 'segment_alias' then c.previous_id end)
    ) as r (kind, value)
    -- One by one by key: a join may be planned as a scan of all ids for each.
    cross join lateral (
      select d.customer_id
      from public.identities as d
      where d.workspace_id = c.workspace_id and d.kind = r.kind and d.value = r.value
      limit 1
    ) as i
    where c.kind <> 'event' and not c.is_duplicate and c.repeats is null
    order by i.customer_id
  );
end
$$;
comment on function private.involved_customers(private.ingest_entry[]) is
  'The customers whose profile an identify or alias of the batch may change, sorted.';

create or replace function private.lock_involved_customers(p_entries private.ingest_entry[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_customer_ids uuid[] := private.involved_customers(p_entries);
begin
  perform
  from public.customers as c
  where c.workspace_id in (select k.workspace_id from unnest(p_entries) as k)
    and c.id = any (v_customer_ids)
  order by c.workspace_id, c.id
  for update;
  -- While this batch waited, a merge may have led an id elsewhere or a new id may have appeared.
  if private.involved_customers(p_entries) is distinct from v_customer_ids then
    raise exception 'Cannot lock customers: an identity moved meanwhile' using errcode = '40001';
  end if;
end
$$;
comment on function private.lock_involved_customers(private.ingest_entry[]) is
  'Locks, in order, the customers that identifies and aliases of the batch change; 40001 when these customers changed meanwhile.';

create or replace function private.resolve_entries(p_entries private.ingest_entry[])
returns private.ingest_entry[]
language plpgsql
volatile
security invoker
set search_path = ''
-- Planning a small batch again, for its sizes, takes longer than looking it up.
set plan_cache_mode = 'force_generic_plan'
as $$
begin
  return (
    select array_agg(row(n.*)::private.ingest_entry order by c.ordinality)
    from unnest(p_entries) with ordinality as c
    left join lateral (
      select d.id, d.customer_id
      from public.identities as d
      where d.workspace_id = c.workspace_id
        and d.kind = case when c.external_id is null then 'anon' else 'external' end
        and d.value = coalesce(c.external_id, c.anon_id)
      limit 1
    ) as i on true
    cross join lateral (
      -- The fields of the type, in its order.
      select
        c.workspace_id,
        c.kind,
        c.external_id,
        c.anon_id,
        c.previous_id,
        c.idempotency_key,
        c.event_id,
        i.id as identity_id,
        coalesce(case when c.is_duplicate then c.customer_id end, i.customer_id) as customer_id,
        c.repeats,
        c.is_duplicate,
        c.unmerged_reason,
        c.refused_code,
        c.refused_field
    ) as n
  );
end
$$;
comment on function private.resolve_entries(private.ingest_entry[]) is
  'The entries with the identity each arrived on and the customer it leads to now; null where the id is unknown.';
