-- Purpose: what every later migration stands on: schemas, roles, id and time helpers.
-- Locks:   none on existing tables.
-- Risk:    roles are cluster-wide; each is created only where it is missing.
-- Undo:    drop schemas private and ops cascade; drop the three signalpost roles.

-- Roles of the platform. Hosted projects have the first three; a plain Postgres does not.
do $$
declare
  v_role text;
begin
  foreach v_role in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
      execute format('create role %I nologin noinherit', v_role);
      -- Only a superuser may give this away; without it the secret key reads under policies.
      if v_role = 'service_role' and current_setting('is_superuser')::boolean then
        alter role service_role bypassrls;
      end if;
    end if;
  end loop;
  -- What a function may do is what its role may execute; none of these owns or reads a table.
  foreach v_role in array array['signalpost_ingest', 'signalpost_dispatch', 'signalpost_key'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
      execute format('create role %I nologin noinherit', v_role);
    end if;
    execute format('grant %I to %I', v_role, current_user);
  end loop;
  foreach v_role in array array['anon', 'authenticated', 'service_role'] loop
    -- Hosted, the migrating role is a member already and may not grant it again.
    if not pg_catalog.pg_has_role(current_user, v_role, 'member') then
      execute format('grant %I to %I', v_role, current_user);
    end if;
  end loop;
end
$$;

-- The part of Supabase Auth that policies and foreign keys name, where no Auth server made it.
do $$
begin
  if to_regclass('auth.users') is null then
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
end
$$;

create schema private;
comment on schema private is
  'Hashes, secrets, queue, partitions and helper functions. Never exposed by the Data API.';

create schema ops;
comment on schema ops is
  'Functions and views for an operator in SQL. Never exposed by the Data API.';

grant usage on schema private to signalpost_ingest, signalpost_dispatch, signalpost_key, authenticated;

-- A function is executable by nobody until a grant says otherwise.
alter default privileges in schema private revoke execute on functions from public;
alter default privileges in schema ops revoke execute on functions from public;
alter default privileges revoke execute on functions from public;
-- A table of ours carries its own grants, also where a project still has the old defaults.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke execute on functions from anon, authenticated, service_role;

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
grant execute on function private.uuid_v7(timestamptz, integer) to authenticated, signalpost_key;

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
grant execute on function private.rfc3339(timestamptz) to authenticated, signalpost_key;
