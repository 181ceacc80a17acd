-- Purpose: the role of the function links, which recipients of messages call without a key.
-- Risk:    roles are cluster-wide; it is created only where it is missing.
-- Undo:    revoke its rights and drop role signalpost_links.

do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'signalpost_links') then
    create role signalpost_links nologin noinherit;
  end if;
  execute format('grant signalpost_links to %I', current_user);
end
$$;

grant usage on schema private to signalpost_links;
