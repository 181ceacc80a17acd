-- Purpose: connects the schema with pg_net, Vault and pg_cron.
-- Risk:    never fails because an extension is missing; it reports that instead.
-- Undo:    select cron.unschedule(jobname) from cron.job where jobname like 'signalpost-%';

create or replace function private.dispatch_report(p_pg_net_problem text, p_vault_problem text)
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
      then 'Call ops.configure_dispatch(url, key): until then the dispatcher is not called when webhooks are due'
    end
  from private.dispatch_state as s
$$;
comment on function private.dispatch_report(text, text) is
  'The part of ops.connect_platform() that is about calling the dispatcher.';

create or replace function ops.connect_platform()
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
  'Connects the schema with pg_cron, pg_net and Vault, and revokes what new projects grant by default. Returns a row for each part: its state, and what is left to do. Call it after every db push, restore or change of extensions; repeating it is safe.';

create or replace function ops.configure_dispatch(p_url text, p_key text)
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
  -- An entry of a restored copy may be encrypted with a key that this server does not have.
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
