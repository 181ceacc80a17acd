-- Purpose: finding customers by what people type. Both sides of a comparison are in the form
--          replace(lower(…), 'ς', 'σ'), as in the indexes: Greek has two small letters for Σ.

create or replace function private.is_readable(p_workspace_id uuid, p_scopes text[])
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  -- Null on either side must not count as true or false.
  select coalesce(p_workspace_id = private.key_workspace_id(p_scopes), false)
    or coalesce(p_workspace_id in (select private.member_workspace_ids()), false)
$$;
comment on function private.is_readable(uuid, text[]) is
  'For functions with definer rights: whether the caller is a member of the workspace, or a key of it with one of the scopes.';

create or replace function private.customers_with_email(
  p_workspace_id uuid,
  p_email text,
  p_before uuid,
  p_limit integer
)
returns setof uuid
language plpgsql
stable
-- Definer: under a policy, lower() cannot use an index. Returns only ids;
-- policies decide which customers are shown.
security definer
set search_path = ''
-- Without statistics, Postgres would read and sort a whole workspace.
set enable_seqscan = 'off'
set enable_bitmapscan = 'off'
as $$
begin
  if private.is_readable(p_workspace_id, array['customers:read', 'customers:write']) then
    return query
    select c.id
    from public.customers as c
    where c.workspace_id = p_workspace_id
      and replace(lower(c.email), 'ς', 'σ') = replace(lower(p_email), 'ς', 'σ')
      and c.id < p_before
    order by c.id desc
    limit p_limit;
  end if;
end
$$;
comment on function private.customers_with_email(uuid, text, uuid, integer) is
  'Customers older than p_before with this e-mail address in upper or lower case, newest first.';
grant execute on function private.customers_with_email(uuid, text, uuid, integer)
  to signalpost_user, signalpost_key;

create or replace function private.ids_called(p_workspace_id uuid, p_value text)
returns uuid[]
language sql
stable
security invoker
set search_path = ''
as $$
  select array_remove(array(
    select i.customer_id
    from public.identities as i
    where i.workspace_id = p_workspace_id and i.kind in ('external', 'anon') and i.value = p_value
    union all
    -- Not in a where clause: Postgres 18 knows the text when it plans, and would try the cast then.
    select case
      when p_value ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_value::uuid
    end
  ), null)
$$;
comment on function private.ids_called(uuid, text) is
  'The customers that have this text as an external, anonymous or customer id.';

create or replace function private.customers_beginning_with(
  p_workspace_id uuid,
  p_prefix text,
  p_most integer
)
returns uuid[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_from text := replace(lower(p_prefix), 'ς', 'σ');
  v_to text := v_from || chr(1114111);
  v_some uuid[];
  v_all uuid[];
begin
  v_some := array(
    select c.id from public.customers as c
    where c.workspace_id = p_workspace_id and c.email is not null
      and replace(lower(c.email), 'ς', 'σ') ~>=~ v_from
      and replace(lower(c.email), 'ς', 'σ') ~<~ v_to
    limit p_most + 1
  );
  v_all := v_some;
  if cardinality(v_some) <= p_most then
    v_some := array(
      select c.id from public.customers as c
      where c.workspace_id = p_workspace_id and c.last_name is not null
        and replace(lower(c.last_name), 'ς', 'σ') ~>=~ v_from
        and replace(lower(c.last_name), 'ς', 'σ') ~<~ v_to
      limit p_most + 1
    );
    v_all := v_all || v_some;
  end if;
  if cardinality(v_some) <= p_most then
    v_some := array(
      select c.id from public.customers as c
      where c.workspace_id = p_workspace_id and c.first_name is not null
        and replace(lower(c.first_name || coalesce(' ' || c.last_name, '')), 'ς', 'σ') ~>=~ v_from
        and replace(lower(c.first_name || coalesce(' ' || c.last_name, '')), 'ς', 'σ') ~<~ v_to
      limit p_most + 1
    );
    v_all := v_all || v_some;
  end if;
  if cardinality(v_some) <= p_most then
    v_some := array(
      select c.id from public.customers as c
      where c.workspace_id = p_workspace_id and c.name_attribute is not null
        and replace(lower(c.name_attribute), 'ς', 'σ') ~>=~ v_from
        and replace(lower(c.name_attribute), 'ς', 'σ') ~<~ v_to
      limit p_most + 1
    );
    v_all := v_all || v_some;
  end if;
  return case when cardinality(v_some) <= p_most then v_all end;
end
$$;
comment on function private.customers_beginning_with(uuid, text, integer) is
  'All customers whose e-mail address, name, last name or attribute name begins with the prefix, in no order and some of them twice. Null if more than p_most match in one of the four.';

create or replace function private.search_customers(
  p_workspace_id uuid,
  p_q text,
  p_before uuid,
  p_limit integer
)
returns setof uuid
language plpgsql
stable
-- Definer: as for private.customers_with_email.
security definer
set search_path = ''
-- Without statistics, Postgres would read and sort a whole workspace.
set enable_seqscan = 'off'
set enable_bitmapscan = 'off'
as $$
declare
  v_from text := replace(lower(p_q), 'ς', 'σ');
  v_to text := v_from || chr(1114111);
  v_ids uuid[];
  v_rare uuid[];
begin
  if not private.is_readable(p_workspace_id, array['customers:read', 'customers:write']) then
    return;
  end if;
  v_ids := private.ids_called(p_workspace_id, p_q);
  v_rare := private.customers_beginning_with(p_workspace_id, p_q, 2000);
  if v_rare is not null then
    return query
    select distinct f.id
    from unnest(v_ids || v_rare) as f (id)
    where f.id < p_before
    order by f.id desc
    limit p_limit;
    return;
  end if;
  -- What many begin with fills the page from the newest customers: sorting all of them costs more.
  return query
  select c.id
  from public.customers as c
  where c.workspace_id = p_workspace_id and c.id < p_before
    and (
      c.id = any (v_ids)
      or starts_with(replace(lower(c.email), 'ς', 'σ'), v_from)
      or starts_with(replace(lower(c.last_name), 'ς', 'σ'), v_from)
      or starts_with(replace(lower(c.first_name || coalesce(' ' || c.last_name, '')), 'ς', 'σ'), v_from)
      or starts_with(replace(lower(c.name_attribute), 'ς', 'σ'), v_from)
    )
  order by c.id desc
  limit p_limit;
end
$$;
comment on function private.search_customers(uuid, text, uuid, integer) is
  'Customers older than p_before whose e-mail address, name, last name or attribute name begins with p_q, or whose id it is, newest first.';
grant execute on function private.search_customers(uuid, text, uuid, integer)
  to signalpost_user, signalpost_key;

create or replace function private.count_found_customers(
  p_workspace_id uuid,
  p_q text,
  p_most integer
)
returns jsonb
language plpgsql
stable
-- Definer: as for private.customers_with_email.
security definer
set search_path = ''
-- Without statistics, Postgres would read a whole workspace.
set enable_seqscan = 'off'
set enable_bitmapscan = 'off'
as $$
declare
  v_ids uuid[];
  v_found uuid[];
  v_count integer;
begin
  if not private.is_readable(p_workspace_id, array['customers:read', 'customers:write']) then
    return jsonb_build_object('count', 0, 'is_exact', true);
  end if;
  if p_q is null then
    v_count := (
      select count(*)
      from (
        select from public.customers as c
        where c.workspace_id = p_workspace_id
        limit p_most + 1
      ) as s
    );
  else
    v_found := private.customers_beginning_with(p_workspace_id, p_q, p_most);
    v_ids := array(
      select c.id from public.customers as c
      where c.workspace_id = p_workspace_id
        and c.id = any (private.ids_called(p_workspace_id, p_q))
    );
    v_count := case when v_found is null then p_most + 1
      else (select count(distinct f.id) from unnest(v_ids || v_found) as f (id)) end;
  end if;
  return jsonb_build_object('count', least(v_count, p_most), 'is_exact', v_count <= p_most);
end
$$;
comment on function private.count_found_customers(uuid, text, integer) is
  'Counts the customers that a search finds, or all without a search: up to p_most.';
grant execute on function private.count_found_customers(uuid, text, integer)
  to signalpost_user, signalpost_key;
