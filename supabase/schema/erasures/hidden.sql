-- Purpose: the customers and identities that policies hide while they are erased.

create or replace function private.erased_identity_ids()
returns setof bigint
language sql
stable
-- Definer: policies call this for callers, who may not read what is being erased.
security definer
set search_path = ''
as $$
  select unnest(e.identity_ids)
  from private.erasures as e
  where e.workspace_id = private.key_workspace_id()
    or e.workspace_id in (select private.member_workspace_ids())
$$;
comment on function private.erased_identity_ids() is
  'Identities of customers that are being erased in the caller''s workspaces.';
grant execute on function private.erased_identity_ids() to signalpost_user, signalpost_key;

create or replace function private.erased_customer_ids()
returns setof uuid
language sql
stable
-- Definer: as for private.erased_identity_ids.
security definer
set search_path = ''
as $$
  select unnest(e.customer_ids)
  from private.erasures as e
  where e.workspace_id = private.key_workspace_id()
    or e.workspace_id in (select private.member_workspace_ids())
$$;
comment on function private.erased_customer_ids() is
  'Customers that are being erased in the caller''s workspaces.';
grant execute on function private.erased_customer_ids() to signalpost_user, signalpost_key;
