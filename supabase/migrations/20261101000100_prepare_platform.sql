-- Purpose: what every later migration stands on: schemas, roles, id and time helpers.
-- Locks:   none on existing tables.
-- Risk:    roles are cluster-wide; each is created only where it is missing.
-- Undo:    drop schemas private and ops cascade; drop the four signalpost roles.

-- Roles of the platform. Hosted projects have the first three; a plain Postgres does not.
do $$
declare
  v_role text;
begin
  foreach v_role in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
      execute format('create role %I nologin noinherit', v_role);
      -- As on the platform, where only a superuser may give this away.
      if v_role = 'service_role' and current_setting('is_superuser')::boolean then
        alter role service_role bypassrls;
      end if;
    end if;
  end loop;
  -- A request has the rights of its role and no others; none of these owns a table.
  foreach v_role in array array[
    'signalpost_ingest', 'signalpost_dispatch', 'signalpost_user', 'signalpost_key'
  ] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
      execute format('create role %I nologin noinherit', v_role);
    end if;
    execute format('grant %I to %I', v_role, current_user);
  end loop;
end
$$;

-- The part of Supabase Auth that policies and foreign keys name, where no Auth server made it.
do $$
begin
  if to_regclass('auth.users') is not null and not exists (
    select from pg_catalog.pg_attribute as a
    where a.attrelid = to_regclass('auth.users') and a.attname = 'email_confirmed_at'
  ) then
    raise exception using
      message = 'Cannot use auth.users: it has no column email_confirmed_at',
      hint = 'Start Supabase Auth once, which brings its tables up to date, and apply the migrations again';
  elsif to_regclass('auth.users') is null then
    create schema if not exists auth;
    create table auth.users (
      id uuid primary key,
      email text unique,
      email_confirmed_at timestamptz default now(),
      banned_until timestamptz,
      deleted_at timestamptz,
      created_at timestamptz not null default now()
    );
    alter table auth.users enable row level security;
  end if;
  if to_regprocedure('auth.uid()') is null then
    create function auth.uid() returns uuid
    language sql stable security invoker set search_path = ''
    as $fn$
      select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
    $fn$;
    grant usage on schema auth to anon, authenticated, service_role;
    grant execute on function auth.uid() to anon, authenticated, service_role;
  end if;
  if not has_function_privilege('signalpost_user', 'auth.uid()', 'execute') then
    grant execute on function auth.uid() to signalpost_user;
  end if;
end
$$;

create schema private;
comment on schema private is
  'Hashes, secrets, queue, partitions and helper functions. Never exposed by the Data API.';

create schema ops;
comment on schema ops is
  'Functions and views for an operator in SQL. Never exposed by the Data API.';

-- anon, authenticated and service_role get no right on anything of ours: they are the roles of the
-- Data API, which knows no quota, no limit and no audit log.
grant usage on schema private
  to signalpost_ingest, signalpost_dispatch, signalpost_user, signalpost_key;

create function private.close_default_privileges()
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
  'Grants nothing by default on what the owner makes. A dump does not hold this, and a new project has its own defaults.';
revoke execute on function private.close_default_privileges() from public;
select private.close_default_privileges();

create function private.uuid_v7(
  p_at timestamptz default clock_timestamp(),
  p_sequence integer default null
)
returns uuid
language sql
volatile
security invoker
set search_path = ''
as $$
  -- 48 bits of milliseconds, version 7, 12 bits of sequence or chance, variant, 62 bits of chance.
  select encode(
    substring(int8send(floor(extract(epoch from p_at) * 1000)::bigint) from 3)
      || int2send((28672 + coalesce(p_sequence % 4096, (random() * 4095)::integer))::smallint)
      || substring(uuid_send(gen_random_uuid()) from 9),
    'hex'
  )::uuid
$$;
comment on function private.uuid_v7(timestamptz, integer) is
  'A version 7 UUID of the given moment. Ids of one moment sort by p_sequence (0 to 4095).';
grant execute on function private.uuid_v7(timestamptz, integer) to signalpost_user, signalpost_key;

create function private.rfc3339(p_at timestamptz)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
comment on function private.rfc3339(timestamptz) is
  'RFC 3339 in UTC with milliseconds and Z: the form of every time in JSON.';
grant execute on function private.rfc3339(timestamptz) to signalpost_user, signalpost_key;
