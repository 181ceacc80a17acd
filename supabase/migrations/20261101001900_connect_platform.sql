-- Purpose: connects the schema with pg_net, Vault and pg_cron, as far as the server has them.
-- Locks:   none.
-- Risk:    the only migration that depends on extensions. It never fails for want of one.
-- Undo:    select cron.unschedule(jobname) from cron.job where jobname like 'signalpost-%';
--          drop the functions.

create function private.create_extension(p_name text)
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
  -- Until the end of this function: an extension that names no schema needs one to be in.
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
  'Creates an extension where the server has it; returns why that is not possible, null where it is there.';

create function private.pg_net_problem()
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
  'Why the database cannot call the dispatcher over HTTP; null when it can.';

create function private.vault_problem()
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
  -- Undoes what was written for the test.
  raise sqlstate 'SP000';
exception
  when sqlstate 'SP000' then
    return null;
  when others then
    return sqlerrm;
end
$$;
comment on function private.vault_problem() is
  'Why Vault cannot keep a secret, for instance because the server has no key for it; null when it can.';

create function private.forget_runs(p_now timestamptz default clock_timestamp())
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_since timestamptz := p_now - interval '2 days';
begin
  -- A run that a crash cut off has no end, and one that was cut off early no start either.
  delete from cron.job_run_details as r
  where coalesce(r.end_time, r.start_time) < v_since
    or (
      r.start_time is null
      and r.runid < (select min(k.runid) from cron.job_run_details as k where k.start_time >= v_since)
    );
end
$$;
comment on function private.forget_runs(timestamptz) is
  'Deletes what pg_cron has logged of runs over two days old.';

create function private.schedule_work(p_step text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- Apart from the chores, which may take long or be cancelled, and a wake-up leaves at commit.
  perform cron.schedule('signalpost-wake', p_step, 'select private.wake_if_due()');
  perform cron.schedule('signalpost-sweep', p_step, 'select private.sweep()');
  perform cron.schedule('signalpost-maintain', '7 * * * *', 'select ops.maintain()');
  perform cron.schedule('signalpost-forget-runs', '23 3 * * *', 'select private.forget_runs()');
end
$$;
comment on function private.schedule_work(text) is
  'Makes the jobs of pg_cron, or brings them up to date. p_step: how often to look for work.';

create function private.connect_cron(out state text, out to_do text)
returns record
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_problem text;
begin
  if to_regprocedure('cron.schedule(text, text, text)') is null then
    v_problem := private.create_extension('pg_cron');
  end if;
  state := 'missing';
  if to_regprocedure('cron.schedule(text, text, text)') is null then
    to_do := format('Enable the extension pg_cron, then call ops.connect_platform(): %s', v_problem);
    return;
  end if;
  begin
    perform private.schedule_work('10 seconds');
    state := 'every 10 seconds';
  exception when invalid_parameter_value then
    -- pg_cron knows seconds since 1.5.
    perform private.schedule_work('* * * * *');
    state := 'every minute';
    to_do := 'Update pg_cron to 1.5 or later, then call ops.connect_platform(): retries leave up to a minute late';
  end;
exception when others then
  state := 'broken';
  to_do := format('Repair the extension pg_cron, then call ops.connect_platform(): %s', sqlerrm);
end
$$;
comment on function private.connect_cron() is
  'Schedules the work of the database, where pg_cron is; tells how often and what is to be done about it.';

create function private.dispatch_report(p_pg_net_problem text, p_vault_problem text)
returns table (part text, state text, to_do text)
language sql
stable
security invoker
set search_path = ''
as $$
  select
    'pg_net',
    case when p_pg_net_problem is null then 'ready' else 'missing' end,
    'Enable the extension pg_net, then call ops.connect_platform(): ' || p_pg_net_problem
  union all
  select
    'supabase_vault',
    case when p_vault_problem is null then 'ready' else 'missing' end,
    'Enable the extension supabase_vault, then call ops.connect_platform(): ' || p_vault_problem
  union all
  select
    'dispatch',
    case
      when s.configured_for is null then 'not configured'
      when s.configured_for <> private.database_identity() then 'restored copy'
      else 'configured'
    end,
    case
      when s.configured_for is distinct from private.database_identity()
      then 'Call ops.configure_dispatch(url, key): until then nobody is told of webhooks that are due'
    end
  from private.dispatch_state as s
$$;
comment on function private.dispatch_report(text, text) is
  'The part of ops.connect_platform() that is about calling the dispatcher.';

create function ops.connect_platform()
returns table (part text, state text, to_do text)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_pg_net_problem text := private.pg_net_problem();
  v_vault_problem text := private.vault_problem();
begin
  perform private.close_default_privileges();
  return query
    select 'pg_cron', c.state, c.to_do from private.connect_cron() as c
    union all
    select * from private.dispatch_report(v_pg_net_problem, v_vault_problem);
end
$$;
comment on function ops.connect_platform() is
  'Connects the schema with pg_cron, pg_net and Vault, and takes back what new projects grant by default. Returns a row for each part: its state, and what is left to do. Call it after every db push, restore or change of extensions, as often as you like.';

create function ops.configure_dispatch(p_url text, p_key text)
returns table (part text, state text, to_do text)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_pg_net_problem text := private.pg_net_problem();
  v_vault_problem text := private.vault_problem();
begin
  if p_url is null or p_url !~ '^https?://' then
    raise sqlstate 'SP400' using
      message = 'Cannot configure dispatch: the first argument must be the http(s) address of webhook-dispatch';
  elsif coalesce(p_key, '') = '' then
    raise sqlstate 'SP400' using
      message = 'Cannot configure dispatch: the second argument must be the secret key named dispatch';
  elsif v_pg_net_problem is not null then
    raise sqlstate 'SP409' using message = format(
      'Cannot configure dispatch: enable the extension pg_net first (%s)', v_pg_net_problem
    );
  elsif v_vault_problem is not null then
    raise sqlstate 'SP409' using message = format(
      'Cannot configure dispatch: enable the extension supabase_vault first (%s)', v_vault_problem
    );
  end if;
  -- An entry of a restored copy may be under a key that this server has not: it is made anew.
  delete from vault.secrets as s
  where s.name in ('signalpost_dispatch_url', 'signalpost_dispatch_key');
  perform vault.create_secret(p_url, 'signalpost_dispatch_url');
  perform vault.create_secret(p_key, 'signalpost_dispatch_key');
  update private.dispatch_state as s set configured_for = private.database_identity();
  return query select * from ops.connect_platform();
end
$$;
comment on function ops.configure_dispatch(text, text) is
  'Tells the database where webhook-dispatch is (https://<ref>.supabase.co/functions/v1/webhook-dispatch) and the secret key named dispatch, both kept in Vault. Call it once, again when either changes, and after restoring a dump. Returns what ops.connect_platform() returns.';

select * from ops.connect_platform();
