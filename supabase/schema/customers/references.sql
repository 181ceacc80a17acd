-- Purpose: an identity leads to a customer who exists, checked once per statement. A foreign key
--          would look up and lock the customer of each row, a quarter of the cost of a new customer.
-- Locks:   none. Ingest creates both rows in one statement, or has locked the customer before.

create or replace function private.require_customers()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- Set for the one statement that creates both rows, from one list.
  if current_setting('signalpost.creates_customers', true) = 'on' then
    return null;
  end if;
  if exists (
    select from changed as i
    -- One by one by key: a join may be planned as a scan of all customers.
    left join lateral (
      select true as is_found
      from public.customers as c
      where c.workspace_id = i.workspace_id and c.id = i.customer_id
      limit 1
    ) as c on true
    where c.is_found is null
  ) then
    raise exception 'Cannot store identities: their customer does not exist'
      using errcode = 'foreign_key_violation', constraint = 'identities_customer_id_fkey';
  end if;
  return null;
end
$$;
comment on function private.require_customers() is
  'Refuses new and changed identities without a customer, unless the statement that adds them creates their customers too. Raises foreign_key_violation.';

create or replace function private.refuse_identities()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if exists (
    select from removed as c
    -- By key, as above.
    cross join lateral (
      select from public.identities as i
      where i.workspace_id = c.workspace_id and i.customer_id = c.id
      limit 1
    ) as i
  ) then
    raise exception 'Cannot delete customers: they have identities'
      using errcode = 'foreign_key_violation', constraint = 'identities_customer_id_fkey';
  end if;
  return null;
end
$$;
comment on function private.refuse_identities() is
  'Refuses to delete a customer who has identities. Raises foreign_key_violation.';
