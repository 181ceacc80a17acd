-- Purpose: default privileges. This file comes first: functions created after it can be executed
--          only by roles with a grant.

create or replace function private.close_default_privileges()
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- A function is executable by nobody until a grant says otherwise.
  alter default privileges in schema private revoke execute on functions from public;
  alter default privileges in schema ops revoke execute on functions from public;
  alter default privileges revoke execute on functions from public;
  -- Older projects grant the Data API everything by default.
  alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
  alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
  alter default privileges in schema public revoke execute on functions from anon, authenticated, service_role;
end
$$;
comment on function private.close_default_privileges() is
  'Revokes default privileges on objects that the owner creates. A dump does not contain this, and a new project has its own defaults.';
revoke execute on function private.close_default_privileges() from public;
select private.close_default_privileges();
