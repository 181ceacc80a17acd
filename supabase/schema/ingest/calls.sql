-- Purpose: reads the entries of a batch and finds the identity and customer of each.
-- Locks:   see ingest/ingest.sql, which calls these in an order that cannot deadlock.

create or replace function private.read_calls(p_entries jsonb, p_at timestamptz)
returns private.ingest_call[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  -- private.uuid_v7(p_at, i) taken apart: calling it for each entry would double this function's cost.
  v_milliseconds bytea := substring(int8send((extract(epoch from p_at) * 1000)::bigint) from 3);
begin
  return (
    select array_agg(
      row(
        e.workspace_id, e.kind, e.external_id, e.anon_id, e.previous_id, e.idempotency_key,
        coalesce(k.event_id, encode(
          v_milliseconds || int2send((28672 + e.i)::smallint)
            || substring(uuid_send(gen_random_uuid()) from 9), 'hex'
        )::uuid), null, k.customer_id,
        nullif(e.first_i, e.i), k.event_id is not null, null, null, null
      )::private.ingest_call
      order by e.i
    )
    from (
      select
        r.*,
        case when r.idempotency_key is not null then
          min(r.i) over (partition by r.workspace_id, r.idempotency_key)
        end as first_i
      from rows from (
        jsonb_to_recordset(p_entries) as (
          workspace_id uuid, kind text, external_id text, anon_id text, previous_id text,
          idempotency_key text
        )
      ) with ordinality as r (
        workspace_id, kind, external_id, anon_id, previous_id, idempotency_key, i
      )
    ) as e
    left join lateral (
      select s.event_id, s.customer_id
      from private.idempotency_keys as s
      where s.workspace_id = e.workspace_id
        and s.key = e.idempotency_key
        and s.created_at > p_at - interval '24 hours'
      limit 1
    ) as k on e.idempotency_key is not null
  );
end
$$;
comment on function private.read_calls(jsonb, timestamptz) is
  'The entries as calls, in order, with their event ids; those whose key was seen before carry the ids of the first call.';

create or replace function private.involved_customers(p_calls private.ingest_call[])
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return array(
    select distinct i.customer_id
    from unnest(p_calls) as c
    cross join lateral (
      values
        ('external', c.external_id), ('anon', c.anon_id), ('external', c.previous_id),
        ('anon', case c.kind when 'segment_alias' then c.previous_id end)
    ) as r (kind, value)
    -- One by one by key: as a join it may be planned as a look through all ids for each.
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
comment on function private.involved_customers(private.ingest_call[]) is
  'The customers whose profile an identify or alias of the batch may change, sorted.';

create or replace function private.lock_involved_customers(p_calls private.ingest_call[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_customer_ids uuid[] := private.involved_customers(p_calls);
begin
  perform
  from public.customers as c
  where c.workspace_id in (select k.workspace_id from unnest(p_calls) as k)
    and c.id = any (v_customer_ids)
  order by c.workspace_id, c.id
  for update;
  -- While this batch waited, a merge may have led an id elsewhere or a new id may have appeared.
  if private.involved_customers(p_calls) is distinct from v_customer_ids then
    raise exception 'Cannot lock customers: an identity moved meanwhile' using errcode = '40001';
  end if;
end
$$;
comment on function private.lock_involved_customers(private.ingest_call[]) is
  'Locks, sorted, the customers that identifies and aliases of the batch touch; 40001 when they changed meanwhile.';

create or replace function private.resolve_calls(p_calls private.ingest_call[])
returns private.ingest_call[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return (
    select array_agg(
      row(
        c.workspace_id, c.kind, c.external_id, c.anon_id, c.previous_id, c.idempotency_key,
        c.event_id, i.id, coalesce(case when c.is_duplicate then c.customer_id end, i.customer_id),
        c.repeats, c.is_duplicate, c.unmerged_reason, c.refused_code, c.refused_field
      )::private.ingest_call
      order by c.ordinality
    )
    from unnest(p_calls) with ordinality as c
    left join lateral (
      select d.id, d.customer_id
      from public.identities as d
      where d.workspace_id = c.workspace_id
        and d.kind = case when c.external_id is null then 'anon' else 'external' end
        and d.value = coalesce(c.external_id, c.anon_id)
      limit 1
    ) as i on true
  );
end
$$;
comment on function private.resolve_calls(private.ingest_call[]) is
  'The calls with the identity each arrived on and the customer it leads to now; null where the id is unknown.';
