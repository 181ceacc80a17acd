import assert from "node:assert/strict";
import postgres from "postgres";
import { applyMigrations } from "../../local/migrate.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";
import { publishMessages } from "../support/dispatch_world.ts";
import { createWorkspace } from "../support/factories.ts";

/** What the migrations use of pg_net, Vault and pg_cron, with tables to look at afterwards. */
const PLATFORM = `
  create schema net;
  create table net.requests (url text, body jsonb, headers jsonb, timeout_milliseconds integer);
  create function net.http_post(
    url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{}',
    timeout_milliseconds integer default 5000
  ) returns bigint language sql as $$
    insert into net.requests values (url, body, headers, timeout_milliseconds) returning 1::bigint
  $$;
  create schema vault;
  create table vault.secrets (id uuid primary key default gen_random_uuid(), name text unique, secret text);
  create view vault.decrypted_secrets as select id, name, secret as decrypted_secret from vault.secrets;
  create function vault.create_secret(
    new_secret text, new_name text default null, new_description text default '',
    new_key_id uuid default null
  ) returns uuid language sql as $$
    insert into vault.secrets (name, secret) values (new_name, new_secret) returning id
  $$;
  create function vault.update_secret(
    secret_id uuid, new_secret text default null, new_name text default null,
    new_description text default null, new_key_id uuid default null
  ) returns void language sql as $$
    update vault.secrets set secret = new_secret where id = secret_id
  $$;
  create schema cron;
  create table cron.job (jobname text primary key, schedule text, command text);
  create table cron.job_run_details (end_time timestamptz);
  create function cron.schedule(job_name text, schedule text, command text)
  returns bigint language sql as $$
    insert into cron.job values (job_name, schedule, command) returning 1::bigint
  $$;
`;

interface Platform extends AsyncDisposable {
  db: TestDatabase;
  workspaceId: string;
  /** Warnings of the database. */
  warnings: string[];
  publish(): Promise<void>;
  requests(): Promise<Record<string, unknown>[]>;
}

async function createPlatform(): Promise<Platform> {
  const db = await createEmptyDatabase();
  await db.sql.unsafe(PLATFORM);
  await applyMigrations(db.url);
  const warnings: string[] = [];
  const onnotice = (notice: postgres.Notice) => void warnings.push(String(notice.message));
  const sql = postgres(db.url, { max: 1, fetch_types: false, onnotice });
  const workspaceId = await createWorkspace(db.sql);
  await db.sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspaceId}, 'Test', 'https://receiver.test', '{*}')
  `;
  return {
    db,
    workspaceId,
    warnings,
    async publish() {
      await publishMessages(sql, { workspaceId, eventType: "order_created", payloads: [{}] });
    },
    requests: async () => [...await db.sql`select * from net.requests`],
    async [Symbol.asyncDispose]() {
      await sql.end();
      await db[Symbol.asyncDispose]();
    },
  };
}

const URL = "https://ref.supabase.co/functions/v1/webhook-dispatch";

Deno.test("where pg_net is, publishing posts to the configured dispatcher", async () => {
  await using platform = await createPlatform();
  await platform.db.sql`select ops.configure_dispatch(${URL}, 'sb_secret_old')`;
  await platform.db.sql`select ops.configure_dispatch(${URL}, 'sb_secret_new')`;

  await platform.publish();

  assert.deepEqual(await platform.requests(), [{
    url: URL,
    body: {},
    headers: { "content-type": "application/json", apikey: "sb_secret_new" },
    timeout_milliseconds: 5000,
  }]);
});

Deno.test("publishing without the configuration warns, and publishes", async () => {
  await using platform = await createPlatform();

  await platform.publish();

  assert.deepEqual(platform.warnings, [
    "Cannot wake the dispatcher: call ops.configure_dispatch(url, key) once",
  ]);
  const rows = await platform.db.sql`select from private.webhook_queue`;
  assert.equal(rows.length, 1);
});

Deno.test("publishing while pg_net fails warns, and publishes", async () => {
  await using platform = await createPlatform();
  await platform.db.sql`select ops.configure_dispatch(${URL}, 'sb_secret_key')`;
  await platform.db.sql`drop table net.requests`;

  await platform.publish();

  assert.match(platform.warnings.join(), /^Cannot wake the dispatcher: relation/);
  const rows = await platform.db.sql`select from private.webhook_queue`;
  assert.equal(rows.length, 1);
});

Deno.test("a rolled back publication posts nothing", async () => {
  await using platform = await createPlatform();
  await platform.db.sql`select ops.configure_dispatch(${URL}, 'sb_secret_key')`;

  await platform.db.sql.begin(async (tx) => {
    await publishMessages(tx as unknown as postgres.Sql, {
      workspaceId: platform.workspaceId,
      eventType: "order_created",
      payloads: [{}],
    });
    throw new Error("rolled back");
  }).catch(() => {});

  assert.deepEqual(await platform.requests(), []);
});

Deno.test("the schedule posts when something is due, and else not", async () => {
  await using platform = await createPlatform();
  await platform.db.sql`select ops.configure_dispatch(${URL}, 'sb_secret_key')`;

  await platform.db.sql`select private.wake_if_due()`;
  assert.equal((await platform.requests()).length, 0);
  await platform.publish();
  await platform.db.sql`select private.wake_if_due()`;

  assert.equal((await platform.requests()).length, 2);
});

Deno.test("the maintenance posts, for what only a dispatcher can find due", async () => {
  await using platform = await createPlatform();
  await platform.db.sql`select ops.configure_dispatch(${URL}, 'sb_secret_key')`;

  await platform.db.sql`select ops.maintain()`;

  assert.equal((await platform.requests()).length, 1);
});

Deno.test("where pg_cron is, wake-ups, sweep and maintenance are scheduled, and run", async () => {
  await using platform = await createPlatform();

  const jobs = await platform.db.sql`select jobname, schedule, command from cron.job order by 1`;

  assert.deepEqual(jobs.map((job) => [job.jobname, job.schedule]), [
    ["signalpost-forget-runs", "23 3 * * *"],
    ["signalpost-maintain", "7 * * * *"],
    ["signalpost-sweep", "10 seconds"],
    ["signalpost-wake", "10 seconds"],
  ]);
  for (const { command } of jobs) await platform.db.sql.unsafe(command);
});

Deno.test("configure_dispatch() says so where there is no Vault", async () => {
  await using db = await createEmptyDatabase();
  await applyMigrations(db.url);

  await assert.rejects(db.sql`select ops.configure_dispatch(${URL}, 'sb_secret_key')`, {
    code: "SP409",
    message: "Cannot configure dispatch: this database has no Vault",
  });
});
