-- Purpose: the extensions that the schema uses where the server has them.

create or replace function private.create_extension(p_name text)
returns text
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if exists (select from pg_catalog.pg_extension where extname = p_name) then
    return null;
  elsif not exists (select from pg_catalog.pg_available_extensions where name = p_name) then
    return 'the server does not have it';
  end if;
  -- Until the end of the transaction: an extension without a schema of its own needs a path.
  perform set_config('search_path', 'public', true);
  if p_name = 'pg_net' then
    create schema if not exists extensions;
    create extension pg_net with schema extensions;
  elsif p_name = 'pg_cron' then
    create extension pg_cron with schema pg_catalog;
  else
    execute format('create extension %I', p_name);
  end if;
  return null;
exception when others then
  -- Packages can be installed without being loaded; the service works without them.
  return sqlerrm;
end
$$;
comment on function private.create_extension(text) is
  'Creates an extension if the server has it. Returns why that is not possible, or null if the extension exists.';

create or replace function private.pg_net_problem()
returns text
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_problem text;
begin
  if to_regprocedure('net.http_post(text, jsonb, jsonb, jsonb, integer)') is null then
    v_problem := private.create_extension('pg_net');
  end if;
  if to_regprocedure('net.http_post(text, jsonb, jsonb, jsonb, integer)') is null then
    return coalesce(v_problem, 'it has no function net.http_post');
  end if;
  return null;
end
$$;
comment on function private.pg_net_problem() is
  'Reason why the database cannot call the dispatcher over HTTP; null when it can.';

create or replace function private.vault_problem()
returns text
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_problem text;
begin
  if to_regclass('vault.decrypted_secrets') is null then
    v_problem := private.create_extension('supabase_vault');
  end if;
  if to_regclass('vault.decrypted_secrets') is null then
    return coalesce(v_problem, 'it has no view vault.decrypted_secrets');
  end if;
  perform vault.create_secret('a test', 'signalpost_test');
  perform s.decrypted_secret from vault.decrypted_secrets as s where s.name = 'signalpost_test';
  -- Undoes the test.
  raise sqlstate 'SP000';
exception
  when sqlstate 'SP000' then
    return null;
  when others then
    return sqlerrm;
end
$$;
comment on function private.vault_problem() is
  'Reason why Vault cannot keep a secret, for instance because the server has no key for it; null when it can.';
