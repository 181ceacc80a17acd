-- Purpose: what every later migration stands on: schemas, roles, and the policies of partitions.
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

create table private.partition_policies (
  table_name text primary key,
  step text not null check (step in ('day', 'month')),
  ahead integer not null check (ahead between 1 and 60),
  keep interval
);
comment on table private.partition_policies is
  'Per partitioned table of public: width of a partition, how many are made ahead, how long they are kept (null: for ever).';
alter table private.partition_policies enable row level security;
