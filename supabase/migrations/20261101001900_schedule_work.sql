-- Purpose: wake-ups over HTTP and a schedule, where the platform has pg_net, Vault and pg_cron.
-- Locks:   none.
-- Risk:    the only migration that depends on them; each part applies where its extension is.
-- Undo:    select cron.unschedule(jobname) from cron.job where jobname like 'signalpost-%';
--          recreate private.send_wake as 20261101001300 has it.

do $$
declare
  v_extension text;
begin
  foreach v_extension in array array['pg_net', 'supabase_vault', 'pg_cron'] loop
    if exists (select from pg_catalog.pg_available_extensions where name = v_extension) then
      begin
        if v_extension = 'pg_net' then
          create schema if not exists extensions;
          create extension if not exists pg_net with schema extensions;
        else
          execute format('create extension if not exists %I', v_extension);
        end if;
      exception when others then
        -- Packages can be installed without being loaded; the service works without them.
        raise warning 'Cannot create extension "%": %', v_extension, sqlerrm;
      end;
    end if;
  end loop;
end
$$;

create function ops.configure_dispatch(p_url text, p_key text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_secret record;
begin
  if to_regnamespace('vault') is null then
    raise sqlstate 'SP409' using message = 'Cannot configure dispatch: this database has no Vault';
  end if;
  for v_secret in
    select s.name, s.value, (
      select k.id from vault.secrets as k where k.name = s.name
    ) as id
    from (
      values ('signalpost_dispatch_url', p_url), ('signalpost_dispatch_key', p_key)
    ) as s (name, value)
  loop
    if v_secret.id is null then
      perform vault.create_secret(v_secret.value, v_secret.name);
    else
      perform vault.update_secret(v_secret.id, v_secret.value);
    end if;
  end loop;
end
$$;
comment on function ops.configure_dispatch(text, text) is
  'Tells the database where webhook-dispatch is (https://<ref>.supabase.co/functions/v1/webhook-dispatch) and the secret key named dispatch, both kept in Vault. Call it once, and again when either changes.';

do $do$
begin
  if to_regprocedure('net.http_post(text, jsonb, jsonb, jsonb, integer)') is null
    or to_regnamespace('vault') is null
  then
    return;
  end if;
  create or replace function private.send_wake()
  returns void
  language plpgsql
  volatile
  security invoker
  set search_path = ''
  as $$
  declare
    v_url text;
    v_key text;
  begin
    select s.decrypted_secret into v_url
    from vault.decrypted_secrets as s where s.name = 'signalpost_dispatch_url';
    select s.decrypted_secret into v_key
    from vault.decrypted_secrets as s where s.name = 'signalpost_dispatch_key';
    if v_url is null or v_key is null then
      raise warning 'Cannot wake the dispatcher: call ops.configure_dispatch(url, key) once';
      return;
    end if;
    -- The function answers at once. A long timeout would hold up all other requests of pg_net.
    perform net.http_post(
      url => v_url,
      body => '{}',
      headers => jsonb_build_object('content-type', 'application/json', 'apikey', v_key),
      timeout_milliseconds => 5000
    );
  exception when others then
    -- What is published stays published: the schedule wakes the dispatcher.
    raise warning 'Cannot wake the dispatcher: %', sqlerrm;
  end
  $$;
  comment on function private.send_wake() is
    'Wakes a dispatcher at commit: a request through pg_net to the address that ops.configure_dispatch was told.';
end
$do$;

do $$
begin
  if to_regprocedure('cron.schedule(text, text, text)') is null then
    return;
  end if;
  -- Apart from the chores, which may take long or be cancelled, and a wake-up leaves at commit.
  perform cron.schedule('signalpost-wake', '10 seconds', 'select private.wake_if_due()');
  perform cron.schedule('signalpost-sweep', '10 seconds', 'select private.sweep()');
  perform cron.schedule('signalpost-maintain', '7 * * * *', 'select ops.maintain()');
  perform cron.schedule(
    'signalpost-forget-runs', '23 3 * * *',
    $sql$delete from cron.job_run_details where end_time < now() - interval '2 days'$sql$
  );
end
$$;
