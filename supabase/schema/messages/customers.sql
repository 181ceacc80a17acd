-- Purpose: the customers that messages are about.

create or replace function private.message_customers(p_workspace_id uuid, p_customer_ids uuid[])
returns table (customer_id uuid, current_id uuid, name text)
language plpgsql
stable
-- Definer: readers of messages need no right to read merges.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  if private.is_readable(p_workspace_id, array['deliveries:read', 'deliveries:write']) then
    return query
    with found as materialized (
      select i.id, coalesce(g.customer_id, i.id) as current_id
      from (select distinct p.id from unnest(p_customer_ids) as p (id) where p.id is not null) as i
      left join lateral (
        select m.customer_id from public.customer_merges as m
        where m.workspace_id = p_workspace_id and m.merged_customer_id = i.id
        limit 1
      ) as g on true
    )
    select f.id, f.current_id, n.name
    from found as f
    left join private.customer_names(
      p_workspace_id, array(select distinct o.current_id from found as o)
    ) as n on n.customer_id = f.current_id;
  end if;
end
$$;
comment on function private.message_customers(uuid, uuid[]) is
  'The customers that records with these ids are now, after merges, with their names: see private.customer_names.';
grant execute on function private.message_customers(uuid, uuid[]) to signalpost_user, signalpost_key;
