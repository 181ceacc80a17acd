-- Purpose: the name that lists show for a customer.

create or replace function private.customer_names(p_workspace_id uuid, p_customer_ids uuid[])
returns table (customer_id uuid, name text)
language plpgsql
stable
-- Definer: readers of segments may see the members without the scope customers:read.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  if private.is_readable(p_workspace_id, array['customers:read', 'segments:read', 'segments:write']) then
    return query
    select c.id, coalesce(
      nullif(concat_ws(' ', nullif(c.first_name, ''), nullif(c.last_name, '')), ''),
      case when jsonb_typeof(c.attributes -> 'name') = 'string' then nullif(btrim(c.attributes ->> 'name'), '') end,
      c.email,
      (
        select d.value from public.identities as d
        where d.workspace_id = c.workspace_id and d.customer_id = c.id and d.kind = 'external'
        order by d.created_at, d.id
        limit 1
      ),
      (
        select d.value from public.identities as d
        where d.workspace_id = c.workspace_id and d.customer_id = c.id and d.kind = 'anon'
        order by d.created_at, d.id
        limit 1
      )
    )
    from public.customers as c
    where c.workspace_id = p_workspace_id and c.id = any (p_customer_ids);
  end if;
end
$$;
comment on function private.customer_names(uuid, uuid[]) is
  'Names of customers: full name, else the attribute name, email address, external or anonymous id; none without the right to read customers or segments.';
grant execute on function private.customer_names(uuid, uuid[]) to signalpost_user, signalpost_key;
