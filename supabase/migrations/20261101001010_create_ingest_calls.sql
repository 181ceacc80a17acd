-- Purpose: what a batch of entries turns into on its way in: calls that know their identity and
--          customer, creating both where an id is new.
-- Locks:   see 20261101001030_create_ingest.sql, which calls these in an order that cannot deadlock.
-- Risk:    none.
-- Undo:    drop the functions and types.

create type private.ingest_call as (
  workspace_id uuid,
  kind text,
  external_id text,
  anon_id text,
  previous_id text,
  idempotency_key text,
  event_id uuid,
  identity_id bigint,
  customer_id uuid,
  repeats integer,
  is_duplicate boolean,
  unmerged_reason text,
  -- Why the entry is not stored: an error code, and the field it is about.
  refused_code text,
  refused_field text
);
comment on type private.ingest_call is
  'One entry on its way through private.ingest: its ids, what they lead to, and what came of it.';

create type private.created_identity as (
  identity_id bigint,
  workspace_id uuid,
  customer_id uuid,
  kind text,
  call_kind text,
  i integer,
  last_i integer
);
comment on type private.created_identity is
  'An identity that the batch created, with its customer: kind and position of the entry that did, and the position of the last that uses it.';

create function private.read_calls(p_entries jsonb, p_at timestamptz)
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

create function private.involved_customers(p_calls private.ingest_call[])
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

create function private.lock_involved_customers(p_calls private.ingest_call[])
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

create function private.resolve_calls(p_calls private.ingest_call[])
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

create function private.id_limit()
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  select 10000
$$;
comment on function private.id_limit() is
  'How many ids of one kind may lead to a customer.';

create function private.refuse_links(p_calls private.ingest_call[])
returns private.ingest_call[]
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
    from unnest(p_calls) with ordinality as c
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
    p_calls[v_refused[v_index]].refused_code := 'payload_too_large';
    p_calls[v_refused[v_index]].refused_field := 'anon_id';
  end loop;
  return p_calls;
end
$$;
comment on function private.refuse_links(private.ingest_call[]) is
  'Refuses the identifies that would lead one anonymous id too many to a customer who is known already.';

create function private.create_identities(p_calls private.ingest_call[], p_at timestamptz)
returns private.created_identity[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_created private.created_identity[];
  v_lost integer;
begin
  with uses as (
    -- The id a call is about makes a customer of its own.
    select
      c.ordinality::integer as i, c.workspace_id, c.kind as call_kind, null::text as owner,
      c.customer_id,
      case when c.external_id is null then 'anon' else 'external' end as kind,
      coalesce(c.external_id, c.anon_id) as value
    from unnest(p_calls) with ordinality as c
    where c.kind in ('event', 'identify') and not c.is_duplicate and c.repeats is null
      and c.identity_id is null and c.refused_code is null
    union all
    -- The anonymous id of an identify joins the customer of its external id.
    select
      c.ordinality::integer, c.workspace_id, c.kind, c.external_id, c.customer_id, 'anon', c.anon_id
    from unnest(p_calls) with ordinality as c
    where c.kind = 'identify' and not c.is_duplicate and c.repeats is null
      and c.refused_code is null and c.external_id is not null and c.anon_id is not null
      and not exists (
        select from public.identities as d
        where d.workspace_id = c.workspace_id and d.kind = 'anon' and d.value = c.anon_id
      )
  ),
  firsts as materialized (
    select distinct on (u.workspace_id, u.kind, u.value)
      u.*, private.uuid_v7(p_at) as new_customer_id,
      max(u.i) over (partition by u.workspace_id, u.kind, u.value) as last_i
    from uses as u
    order by u.workspace_id, u.kind, u.value, u.i
  ),
  joined as (
    select
      f.workspace_id, f.kind, f.value, f.i,
      -- A window, because a join of the batch with itself is planned as a product of all its rows.
      case when f.owner is null then f.new_customer_id
        else coalesce(f.customer_id, first_value(f.new_customer_id) over (
          partition by f.workspace_id, coalesce(f.owner, case f.kind when 'external' then f.value end)
          order by f.kind desc
        )) end as customer_id
    from firsts as f
  ),
  made as (
    insert into public.identities (workspace_id, kind, value, customer_id, created_at)
    select
      j.workspace_id, j.kind, j.value, j.customer_id,
      p_at + j.i * interval '1 microsecond' -- the oldest id is the first of the batch
    from joined as j
    order by j.workspace_id, j.kind, j.value
    on conflict on constraint identities_workspace_id_kind_value_key do nothing
    returning id, workspace_id, kind, value, customer_id
  ),
  people as (
    insert into public.customers (workspace_id, id, created_at, updated_at, last_seen_at)
    select distinct m.workspace_id, m.customer_id, p_at, p_at, p_at
    from made as m
    join firsts as f on f.workspace_id = m.workspace_id and f.new_customer_id = m.customer_id
    returning workspace_id
  ),
  counted as (
    insert into private.usage_deltas (workspace_id, at, customers)
    select p.workspace_id, p_at, count(*) from people as p group by p.workspace_id
  )
  select
    array_agg(
      row(
        m.id, m.workspace_id, m.customer_id, m.kind, f.call_kind, f.i, f.last_i
      )::private.created_identity
      order by f.i
    ) filter (where m.id is not null),
    count(*) filter (where m.id is null)
  into v_created, v_lost
  from firsts as f
  left join made as m using (workspace_id, kind, value);

  if v_lost > 0 and exists (select from unnest(p_calls) as c where c.kind <> 'event') then
    raise exception 'Cannot create identities: another call was first' using errcode = '40001';
  end if;
  return coalesce(v_created, '{}');
end
$$;
comment on function private.create_identities(private.ingest_call[], timestamptz) is
  'Creates unknown identities and their customers; returns which. 40001 when another transaction was first and the batch merges.';
