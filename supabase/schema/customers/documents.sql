-- Purpose: customers as the api and the webhooks show them.

create or replace function private.newest_ids(p_workspace_id uuid, p_customer_id uuid, p_kind text)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(n.value order by n.created_at, n.id), '[]')
    from (
      select d.value, d.created_at, d.id
      from public.identities as d
      where d.workspace_id = p_workspace_id and d.customer_id = p_customer_id and d.kind = p_kind
      order by d.created_at desc, d.id desc
      limit 100
    ) as n
  );
end
$$;
comment on function private.newest_ids(uuid, uuid, text) is
  'The newest 100 ids of one kind that lead to a customer, in the order they were added.';
grant execute on function private.newest_ids(uuid, uuid, text) to signalpost_user, signalpost_key;

create or replace function private.count_ids(p_workspace_id uuid, p_customer_id uuid, p_kind text)
returns integer
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select count(*)::integer
    from public.identities as d
    where d.workspace_id = p_workspace_id and d.customer_id = p_customer_id and d.kind = p_kind
  );
end
$$;
comment on function private.count_ids(uuid, uuid, text) is
  'Counts the ids of one kind that lead to a customer.';
grant execute on function private.count_ids(uuid, uuid, text) to signalpost_user, signalpost_key;

create or replace function private.customer_documents(p_workspace_id uuid, p_customer_ids uuid[])
returns table (customer_id uuid, document jsonb)
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return query
  select c.id, jsonb_build_object(
    'id', c.id,
    'external_id', case
      when n.external_ids <= 100 then e.ids ->> 0
      else (
        select d.value
        from public.identities as d
        where d.workspace_id = c.workspace_id and d.customer_id = c.id and d.kind = 'external'
        order by d.created_at, d.id
        limit 1
      )
    end,
    'external_ids', e.ids,
    'external_ids_count', n.external_ids,
    'anon_ids', a.ids,
    'anon_ids_count', n.anon_ids,
    'email', c.email,
    'phone', c.phone,
    'first_name', c.first_name,
    'last_name', c.last_name,
    'country', c.country,
    'timezone', c.timezone,
    'locale', c.locale,
    'attributes', c.attributes,
    'created_at', private.rfc3339(c.created_at),
    'updated_at', private.rfc3339(c.updated_at),
    'last_seen_at', private.rfc3339(c.last_seen_at)
  )
  from public.customers as c
  -- Not with newest_ids and count_ids: policies would run again for each customer and list.
  cross join lateral (
    select
      count(*) filter (where d.kind = 'external')::integer as external_ids,
      count(*) filter (where d.kind = 'anon')::integer as anon_ids
    from public.identities as d
    where d.workspace_id = c.workspace_id and d.customer_id = c.id
  ) as n
  cross join lateral (
    select coalesce(jsonb_agg(i.value order by i.created_at, i.id), '[]') as ids
    from (
      select d.value, d.created_at, d.id
      from public.identities as d
      where d.workspace_id = c.workspace_id and d.customer_id = c.id and d.kind = 'external'
      order by d.created_at desc, d.id desc
      limit 100
    ) as i
  ) as e
  cross join lateral (
    select coalesce(jsonb_agg(i.value order by i.created_at, i.id), '[]') as ids
    from (
      select d.value, d.created_at, d.id
      from public.identities as d
      where d.workspace_id = c.workspace_id and d.customer_id = c.id and d.kind = 'anon'
      order by d.created_at desc, d.id desc
      limit 100
    ) as i
  ) as a
  where c.workspace_id = p_workspace_id and c.id = any (p_customer_ids);
end
$$;
comment on function private.customer_documents(uuid, uuid[]) is
  'The customers as the api and the webhooks show them, each with its newest 100 ids of a kind and their number; the caller''s own rights decide which rows are seen.';
grant execute on function private.customer_documents(uuid, uuid[]) to signalpost_user, signalpost_key;
