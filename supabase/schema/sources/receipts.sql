-- Purpose: what the inbound function asks of the database besides ingest.

create or replace function private.record_receipt(p_receipt text, p_rejected text default '[]')
returns uuid
language plpgsql
volatile
-- Definer: the roles that ingest may execute this and read or write no table.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  -- Contains the time of receipt, so that the id determines the partition.
  v_id uuid := private.uuid_v7((p_receipt::jsonb ->> 'received_at')::timestamptz);
begin
  insert into public.inbound_receipts (
    workspace_id, source_id, id, received_at, is_verified, outcome, status_code, error,
    message_id, headers, body, body_bytes, accepted, duplicates, ignored, rejected, results,
    customer_ids, request_id
  )
  select
    r.workspace_id, r.source_id, v_id, r.received_at, r.is_verified, r.outcome, r.status_code,
    r.error, r.message_id, r.headers, r.body, r.body_bytes, r.accepted, r.duplicates, r.ignored,
    r.rejected, r.results,
    -- Kept apart from the results, which are cut: the body is about all of these customers.
    coalesce(r.customer_ids, '{}'), r.request_id
  from jsonb_to_record(p_receipt::jsonb) as r (
    workspace_id uuid, source_id uuid, received_at timestamptz, is_verified boolean,
    outcome text, status_code smallint, error text, message_id text, headers jsonb, body text,
    body_bytes integer, accepted integer, duplicates integer, ignored integer, rejected integer,
    results jsonb, customer_ids uuid[], request_id uuid
  );
  insert into private.usage_deltas (workspace_id, at, bytes)
  select r.workspace_id, r.received_at, octet_length(r.body)
  from public.inbound_receipts as r
  where r.id = v_id and r.received_at = private.uuid_v7_time(v_id) and r.body is not null
    and r.workspace_id = (p_receipt::jsonb ->> 'workspace_id')::uuid;
  if p_rejected <> '[]' then
    perform private.reject_entries(p_rejected, v_id);
  end if;
  return v_id;
end
$$;
comment on function private.record_receipt(text, text) is
  'Keeps a request to a source (a JSON object) and its refused entries (an array), both or neither. Returns the id of the receipt.';
revoke execute on function private.record_receipt(text, text) from public;
grant execute on function private.record_receipt(text, text) to signalpost_ingest;

create or replace function private.find_customers_by_email(p_workspace_id uuid, p_emails text[])
returns table (
  email text,
  external_id text,
  anon_id text
)
language sql
stable
-- Definer: callers may ask about addresses they were sent but never read the tables.
security definer
set search_path = ''
set jit = 'off'
as $$
  select e.email, i.external_id, i.anon_id
  from unnest(p_emails) as e (email)
  cross join lateral (
    select c.id
    from public.customers as c
    where c.workspace_id = p_workspace_id and c.email is not null
      and replace(lower(c.email), 'ς', 'σ') = replace(lower(e.email), 'ς', 'σ')
    order by c.id
    limit 20
  ) as c
  cross join lateral (
    select
      (array_agg(d.value order by d.created_at, d.id) filter (where d.kind = 'external'))[1] as external_id,
      (array_agg(d.value order by d.created_at, d.id) filter (where d.kind = 'anon'))[1] as anon_id
    from public.identities as d
    where d.workspace_id = p_workspace_id and d.customer_id = c.id
  ) as i
$$;
comment on function private.find_customers_by_email(uuid, text[]) is
  'One id of each customer with one of these addresses in upper or lower case; at most 20 per address.';
revoke execute on function private.find_customers_by_email(uuid, text[]) from public;
grant execute on function private.find_customers_by_email(uuid, text[]) to signalpost_ingest;

create or replace function private.customers_by_email(p_workspace_id uuid, p_emails text[])
returns table (
  email text,
  external_id text,
  anon_id text
)
language plpgsql
stable
-- Definer: callers who may send entries may look up customers, and see only an id.
security definer
set search_path = ''
as $$
begin
  if private.is_readable(p_workspace_id, array['track:write', 'sources:read', 'sources:write']) then
    return query select f.* from private.find_customers_by_email(p_workspace_id, p_emails) as f;
  end if;
end
$$;
comment on function private.customers_by_email(uuid, text[]) is
  'private.find_customers_by_email for a caller of the workspace.';
grant execute on function private.customers_by_email(uuid, text[]) to signalpost_user, signalpost_key;
