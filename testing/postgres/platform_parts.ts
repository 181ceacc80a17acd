/** Parts of pg_net that the migrations use. The table `net.requests` keeps the requests. */
export const pgNetSql = `
  create schema net;
  create table net.requests (url text, body jsonb, headers jsonb, timeout_milliseconds integer);
  create table net._http_response (created timestamptz, status_code integer, error_msg text);
  create function net.http_post(
    url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{}',
    timeout_milliseconds integer default 5000
  ) returns bigint language sql as $$
    insert into net.requests values (url, body, headers, timeout_milliseconds) returning 1::bigint
  $$;
`;

/**
 * Parts of Vault that the migrations use. Nothing is stored while the setting `test.vault_problem`
 * contains an error.
 */
export const vaultSql = `
  create schema vault;
  create table vault.secrets (
    id uuid primary key default gen_random_uuid(), name text unique, secret text
  );
  create view vault.decrypted_secrets as select id, name, secret as decrypted_secret from vault.secrets;
  create function vault.create_secret(
    new_secret text, new_name text default null, new_description text default '',
    new_key_id uuid default null
  ) returns uuid language plpgsql as $$
  declare
    v_id uuid;
  begin
    if current_setting('test.vault_problem', true) <> '' then
      raise exception using message = current_setting('test.vault_problem');
    end if;
    insert into vault.secrets (name, secret) values (new_name, new_secret) returning id into v_id;
    return v_id;
  end
  $$;
`;

/** Parts of pg_cron that the migrations use. */
export const pgCronSql = `
  create schema cron;
  create table cron.job (
    jobid bigint generated always as identity, jobname text primary key, schedule text, command text
  );
  create table cron.job_run_details (
    runid bigint, jobid bigint, status text, return_message text,
    start_time timestamptz, end_time timestamptz
  );
  create function cron.schedule(job_name text, schedule text, command text)
  returns bigint language sql as $$
    insert into cron.job (jobname, schedule, command) values (job_name, schedule, command)
    on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command
    returning jobid
  $$;
`;

/** All three, as on a hosted project. */
export const platformSql = pgNetSql + vaultSql + pgCronSql;
