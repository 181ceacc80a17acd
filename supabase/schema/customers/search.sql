-- Purpose: finding customers by what people type.

create or replace function private.is_readable(p_workspace_id uuid, p_scopes text[])
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  -- A null on either side is not to be taken for a yes or a no.
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
-- Definer: under a policy, lower() may not be looked up in an index. Answers with ids alone; what
-- is behind them is for the policies to show.
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
    where c.workspace_id = p_workspace_id and lower(c.email) = lower(p_email) and c.id < p_before
    order by c.id desc
    limit p_limit;
  end if;
end
$$;
comment on function private.customers_with_email(uuid, text, uuid, integer) is
  'Customers older than p_before with this e-mail address in whatever case, newest first.';
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
    -- Not by a where: Postgres 18 knows the text when it plans, and would try the cast already then.
    select case
      when p_value ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_value::uuid
    end
  ), null)
$$;
comment on function private.ids_called(uuid, text) is
  'The customers that this text may be an id of, be it their own or one of ours.';

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
  v_from text := lower(p_q);
  v_to text := lower(p_q) || chr(1114111);
  v_ids uuid[] := private.ids_called(p_workspace_id, p_q);
  -- What many begin with is found among the newest; what is rarer, by index and sorted.
  v_oldest uuid;
  v_found integer;
begin
  if not private.is_readable(p_workspace_id, array['customers:read', 'customers:write']) then
    return;
  end if;
  select n.id into v_oldest
  from public.customers as n
  where n.workspace_id = p_workspace_id and n.id < p_before
  order by n.id desc
  offset 1999
  limit 1;

  return query
  select c.id
  from public.customers as c
  where c.workspace_id = p_workspace_id and c.id < p_before
    and c.id >= coalesce(v_oldest, '00000000-0000-0000-0000-000000000000')
    and (
      c.id = any (v_ids)
      or lower(c.email) ~>=~ v_from and lower(c.email) ~<~ v_to
      or lower(c.last_name) ~>=~ v_from and lower(c.last_name) ~<~ v_to
      or starts_with(lower(c.first_name || coalesce(' ' || c.last_name, '')), v_from)
    )
  order by c.id desc
  limit p_limit;
  get diagnostics v_found = row_count;
  if v_oldest is null or v_found >= p_limit then
    return;
  end if;

  return query
  select m.id
  from (
    select unnest(v_ids) as id
    union
    select c.id from public.customers as c
    where c.workspace_id = p_workspace_id and c.email is not null
      and lower(c.email) ~>=~ v_from and lower(c.email) ~<~ v_to
    union
    select c.id from public.customers as c
    where c.workspace_id = p_workspace_id and c.last_name is not null
      and lower(c.last_name) ~>=~ v_from and lower(c.last_name) ~<~ v_to
    union
    select c.id from public.customers as c
    where c.workspace_id = p_workspace_id and c.first_name is not null
      and lower(c.first_name || coalesce(' ' || c.last_name, '')) ~>=~ v_from
      and lower(c.first_name || coalesce(' ' || c.last_name, '')) ~<~ v_to
  ) as m
  where m.id < v_oldest
  order by m.id desc
  limit p_limit - v_found;
end
$$;
comment on function private.search_customers(uuid, text, uuid, integer) is
  'Customers older than p_before whose e-mail address, name or last name begins with p_q, or whose id it is, newest first.';
grant execute on function private.search_customers(uuid, text, uuid, integer)
  to signalpost_user, signalpost_key;
