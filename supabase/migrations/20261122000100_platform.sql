-- Purpose: what every later migration builds on: schemas, roles, and registries of partitions,
--          periodic tasks and secrets.
-- Risk:    roles are cluster-wide; each is created only where it is missing.
-- Undo:    drop schemas private and ops cascade; drop the signalpost roles.

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
  -- A request has exactly the rights of its role; none of these roles owns a table.
  foreach v_role in array array[
    'signalpost_ingest', 'signalpost_dispatch', 'signalpost_send', 'signalpost_links',
    'signalpost_user', 'signalpost_key'
  ] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
      execute format('create role %I nologin noinherit', v_role);
    end if;
    execute format('grant %I to %I', v_role, current_user);
  end loop;
end
$$;

-- The part of Supabase Auth that policies and foreign keys use, where there is no Auth server.
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

-- anon, authenticated and service_role get no rights on our objects: they are the roles of the
-- Data API, which has no quota, no limits and no audit log.
grant usage on schema private
  to signalpost_ingest, signalpost_dispatch, signalpost_send, signalpost_links, signalpost_user,
    signalpost_key;

create table private.partition_policies (
  table_name text primary key,
  step text not null check (step in ('day', 'month')),
  ahead integer not null check (ahead between 1 and 60),
  keep interval
);
comment on table private.partition_policies is
  'Per partitioned table of public: width of a partition, how many are created ahead, how long they are kept (null: forever).';
alter table private.partition_policies enable row level security;

create table private.periodic_tasks (
  name text primary key,
  every interval not null check (every in ('10 seconds', '1 hour')),
  -- The order of the tasks of one run.
  position integer not null,
  -- $1 is batch_size, $2 the time of the run, $3 the time to end by. With a batch_size the call
  -- returns how many rows it handled, and is repeated up to max_batches times while batches are full.
  call text not null,
  batch_size integer check (batch_size > 0),
  max_batches integer not null default 1 check (max_batches > 0),
  unique (every, position)
);
comment on table private.periodic_tasks is
  'Tasks that the database runs at regular intervals: see private.run_tasks.';
alter table private.periodic_tasks enable row level security;

insert into private.periodic_tasks (name, every, position, call)
values
  ('close default privileges', '1 hour', 50, 'private.close_default_privileges()'),
  -- Only a dispatcher knows which encryption key is current, and so which secrets to re-encrypt.
  ('wake a dispatcher', '1 hour', 60, 'private.send_worker_wake(''webhook-dispatch'', true)'),
  -- Locks last until the end of the run, so those that others wait for come last.
  ('create partitions', '1 hour', 70, 'private.ensure_partitions($2)'),
  ('drop expired partitions', '1 hour', 80, 'private.drop_expired_partitions($2)');
insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values
  ('delete expired rows', '1 hour', 30, 'private.delete_expired_rows($1, $2)', 10000, 20);

create table private.secret_owners (
  kind text primary key,
  table_name text not null,
  owner_column text not null
);
comment on table private.secret_owners is
  'Tables of encrypted secrets: each has the columns workspace_id, id, key_id, ciphertext and expires_at, owner_column, and an index on (key_id, id).';
alter table private.secret_owners enable row level security;
