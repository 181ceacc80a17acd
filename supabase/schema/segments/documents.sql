-- Purpose: segments and their members as the api shows them.

create or replace function private.segment_documents(p_workspace_id uuid, p_customer_ids uuid[])
returns table (customer_id uuid, document jsonb)
language plpgsql
stable
-- Definer: readers of segments may see the members without the scope customers:read.
security definer
set search_path = ''
as $$
begin
  if private.is_readable(p_workspace_id, array['customers:read', 'segments:read', 'segments:write']) then
    return query
    select d.customer_id, d.document
    from private.customer_documents(p_workspace_id, p_customer_ids) as d;
  end if;
end
$$;
comment on function private.segment_documents(uuid, uuid[]) is
  'Customers as the api shows them, for readers of segments.';
grant execute on function private.segment_documents(uuid, uuid[]) to signalpost_user, signalpost_key;

create or replace function private.customer_memberships(p_workspace_id uuid, p_customer_id uuid)
returns table (segment_id uuid, key text, name text, kind text, since timestamptz)
language plpgsql
stable
-- Definer: readers of customers may see a customer's segments without the scope segments:read.
security definer
set search_path = ''
as $$
begin
  return query
  select s.id, s.key, s.name, s.kind, m.since
  from private.customer_segments(p_workspace_id, p_customer_id) as m
  join public.segments as s on s.workspace_id = p_workspace_id and s.id = m.segment_id
  order by lower(s.name), s.id;
end
$$;
comment on function private.customer_memberships(uuid, uuid) is
  'The segments that a customer is in, with their names; none without the right to read customers.';
grant execute on function private.customer_memberships(uuid, uuid) to signalpost_user, signalpost_key;
