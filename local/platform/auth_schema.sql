-- What clients and policies find in the auth schema of a hosted project; run after the migrations.

do $$
begin
  -- The creator of a role may grant it, but since Postgres 16 cannot act as it yet.
  execute format('grant anon, authenticated, service_role to %I', current_user);
exception when insufficient_privilege then
  raise warning 'Cannot act as "anon", "authenticated" and "service_role": grant them to "%"', current_user;
end
$$;

grant usage on schema auth to anon, authenticated, service_role;

-- As hosted: from the claims, wherever they were set. Lite reads one setting of its own.
create or replace function auth.uid() returns uuid
language sql stable
as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
  )::uuid
$$;

create or replace function auth.role() returns text
language sql stable
as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
  )
$$;

grant execute on function auth.uid(), auth.role(), auth.jwt() to anon, authenticated, service_role;
