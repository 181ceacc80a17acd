import assert from "node:assert/strict";
import postgres from "postgres";
import { applyMigrations } from "../../local/migrate.ts";
import {
  cloneDatabase,
  createEmptyDatabase,
  createTemplateDatabase,
  type TestDatabase,
} from "../../testing/postgres/database.ts";
import { publishMessages } from "../../testing/service/dispatch_world.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import {
  pgCronSql,
  pgNetSql,
  platformSql,
  vaultSql,
} from "../../testing/postgres/platform_parts.ts";

interface Platform extends AsyncDisposable {
  db: TestDatabase;
  workspaceId: string;
  /** Warnings of the database. */
  warnings: string[];
  publish(): Promise<void>;
  requests(): Promise<Record<string, unknown>[]>;
}

const templates = new Map<string, Promise<string>>();

/** Finds or creates a migrated database with these parts of the platform; returns its name. */
function findTemplate(parts: string): Promise<string> {
  const known = templates.get(parts);
  if (known !== undefined) return known;
  const created = createTemplateDatabase(async ({ sql, url }) => {
    await sql.unsafe(parts);
    await applyMigrations(url);
  });
  templates.set(parts, created);
  return created;
}

/** A migrated database with these parts of the platform. */
async function createPlatform(parts = platformSql): Promise<Platform> {
  const db = await cloneDatabase(await findTemplate(parts));
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

const url = "https://ref.supabase.co/functions/v1/webhook-dispatch";

Deno.test("with pg_net, publishing posts to the configured dispatcher", async () => {
  await using platform = await createPlatform();
  await platform.db.sql`select ops.configure_dispatch(${url}, 'sb_secret_old')`;
  await platform.db.sql`select ops.configure_dispatch(${url}, 'sb_secret_new')`;

  await platform.publish();

  assert.deepEqual(await platform.requests(), [{
    url: url,
    body: {},
    headers: { "content-type": "application/json", apikey: "sb_secret_new" },
    timeout_milliseconds: 5000,
  }]);
});

Deno.test("publishing without the configuration warns, and publishes", async () => {
  await using platform = await createPlatform();

  await platform.publish();

  assert.deepEqual(platform.warnings, [
    "Cannot wake a function: call ops.configure_dispatch(url, key) once",
  ]);
  const rows = await platform.db.sql`select from private.webhook_queue`;
  assert.equal(rows.length, 1);
});

Deno.test("publishing while pg_net fails warns, and publishes", async () => {
  await using platform = await createPlatform();
  await platform.db.sql`select ops.configure_dispatch(${url}, 'sb_secret_key')`;
  await platform.db.sql`drop table net.requests`;

  await platform.publish();

  assert.match(platform.warnings.join(), /^Cannot wake "webhook-dispatch": relation/);
  const rows = await platform.db.sql`select from private.webhook_queue`;
  assert.equal(rows.length, 1);
});

Deno.test("a rolled back publication posts nothing", async () => {
  await using platform = await createPlatform();
  await platform.db.sql`select ops.configure_dispatch(${url}, 'sb_secret_key')`;

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

Deno.test("the schedule posts only when something is due", async () => {
  await using platform = await createPlatform();
  await platform.db.sql`select ops.configure_dispatch(${url}, 'sb_secret_key')`;

  await platform.db.sql`select private.wake_if_due()`;
  assert.equal((await platform.requests()).length, 0);
  await platform.publish();
  await passOneSecond(platform.db.sql);
  await platform.db.sql`select private.wake_if_due()`;

  assert.equal((await platform.requests()).length, 2);
});

Deno.test("no post is sent while a dispatcher runs, and again once it has ended", async () => {
  await using platform = await createPlatform();
  const { sql } = platform.db;
  await sql`select ops.configure_dispatch(${url}, 'sb_secret_key')`;
  await sql`select private.watch_queue('1 hour')`;

  await platform.publish();
  await sql`select private.wake_if_due()`;
  assert.equal((await platform.requests()).length, 0);

  // Its time is up, and something is due.
  await sql`select private.wake_if_due(p_is_ending => true)`;
  assert.equal((await platform.requests()).length, 1);
  await passOneSecond(sql);
  await platform.publish();
  assert.equal((await platform.requests()).length, 2);
});

Deno.test("a dispatcher that is behind gets help from the schedule", async () => {
  await using platform = await createPlatform();
  const { sql } = platform.db;
  await sql`select ops.configure_dispatch(${url}, 'sb_secret_key')`;
  await platform.publish();
  // Claimed and given back: the lane knows of what is due.
  await sql`select private.claim_deliveries(gen_random_uuid(), 0)`;
  await sql`select private.repair_lanes()`;
  await sql`select private.watch_queue('1 hour')`;
  await sql`delete from private.lane_arrivals`;
  await sql`delete from net.requests`;

  await passOneSecond(sql);
  await sql`select private.wake_if_due()`;
  assert.equal((await platform.requests()).length, 0);
  await sql`select private.wake_if_due(clock_timestamp() + interval '3 seconds')`;
  assert.equal((await platform.requests()).length, 1);
});

Deno.test("many publications within a second send one post", async () => {
  await using platform = await createPlatform();
  const { sql } = platform.db;
  await sql`select ops.configure_dispatch(${url}, 'sb_secret_key')`;
  await platform.publish();
  // For longer than this test takes.
  await sql`update private.work_wakes set posted_at = posted_at + interval '1 hour'`;

  for (let i = 0; i < 5; i++) await platform.publish();

  assert.equal((await platform.requests()).length, 1);
});

Deno.test("the maintenance posts for work that only a dispatcher can find", async () => {
  await using platform = await createPlatform();
  await platform.db.sql`select ops.configure_dispatch(${url}, 'sb_secret_key')`;

  await platform.db.sql`select ops.run_hourly_tasks()`;

  assert.equal((await platform.requests()).length, 1);
});

Deno.test("with pg_cron, wake-ups, frequent and hourly tasks are scheduled and run", async () => {
  await using platform = await createPlatform();

  const jobs = await platform.db.sql`select jobname, schedule, command from cron.job order by 1`;

  assert.deepEqual(jobs.map((job) => [job.jobname, job.schedule]), [
    ["signalpost-campaigns", "1 second"],
    ["signalpost-delete-cron-runs", "23 3 * * *"],
    ["signalpost-frequent-tasks", "10 seconds"],
    ["signalpost-hourly-tasks", "7 * * * *"],
    ["signalpost-segments", "1 second"],
    ["signalpost-wake", "10 seconds"],
    ["signalpost-wake-automation", "1 second"],
    ["signalpost-wake-sends", "10 seconds"],
  ]);
  for (const { command } of jobs) await platform.db.sql.unsafe(command);
});

Deno.test("runs of pg_cron are deleted after two days, including those cut off by a crash", async () => {
  await using platform = await createPlatform();
  const { sql } = platform.db;
  await sql`
    insert into cron.job_run_details (runid, start_time, end_time)
    values
      (1, now() - interval '3 days', now() - interval '3 days'),
      (2, now() - interval '3 days', null),
      (3, null, null),
      (4, now() - interval '1 day', now() - interval '1 day'),
      (5, now() - interval '1 minute', null),
      (6, null, null)
  `;

  await sql`select private.delete_old_cron_runs()`;

  const kept = await sql`select runid::integer from cron.job_run_details order by runid`;
  assert.deepEqual(kept.map(({ runid }) => runid), [4, 5, 6]);
});

async function report(sql: postgres.Sql): Promise<Record<string, [string, string | null]>> {
  const rows = await sql`select part, state, to_do from ops.connect_platform()`;
  return Object.fromEntries(rows.map(({ part, state, to_do }) => [part, [state, to_do]]));
}

Deno.test("connect_platform() reports missing parts and how to add them", async () => {
  await using platform = await createPlatform("");

  assert.deepEqual(await report(platform.db.sql), {
    pg_cron: [
      "missing",
      "Enable the extension pg_cron, then call ops.connect_platform(): the server does not have it",
    ],
    pg_net: [
      "missing",
      "Enable the extension pg_net, then call ops.connect_platform(): the server does not have it",
    ],
    supabase_vault: [
      "missing",
      "Enable the extension supabase_vault, then call ops.connect_platform(): the server does not have it",
    ],
    dispatch: [
      "not configured",
      "Call ops.configure_dispatch(url, key): until then the dispatcher is not called when webhooks are due",
    ],
  });
});

Deno.test("connect_platform() finds extensions installed later, on repeated calls", async () => {
  await using platform = await createPlatform("");
  const { sql } = platform.db;
  await sql.unsafe(platformSql);

  await sql`select ops.configure_dispatch(${url}, 'sb_secret_key')`;

  const ready = {
    pg_cron: ["every 10 seconds", null],
    pg_net: ["ready", null],
    supabase_vault: ["ready", null],
    dispatch: ["configured", null],
  };
  assert.deepEqual(await report(sql), ready);
  assert.deepEqual(await report(sql), ready);
  assert.equal((await sql`select from cron.job`).length, 8);
  await platform.publish();
  assert.equal((await platform.requests()).length, 1);
});

Deno.test("connect_platform() revokes the default grants of a new project", async () => {
  await using platform = await createPlatform("");
  const { sql } = platform.db;
  const everybody = "anon, authenticated, service_role";
  for (const kind of ["tables", "sequences", "functions"]) {
    await sql.unsafe(
      `alter default privileges in schema public grant all on ${kind} to ${everybody}`,
    );
  }

  await sql`select ops.connect_platform()`;
  await sql`create table public.later (id integer)`;
  await sql`create function public.later() returns integer language sql as 'select 1'`;

  const [row] = await sql`
    select
      has_table_privilege('anon', 'public.later', 'select') as can_read,
      has_function_privilege('anon', 'public.later()', 'execute') as can_call
  `;
  assert.deepEqual({ ...row }, { can_read: false, can_call: false });
});

Deno.test("a restored copy does not wake the dispatcher of the original", async () => {
  await using platform = await createPlatform();
  const { sql } = platform.db;
  await sql`select ops.configure_dispatch(${url}, 'sb_secret_key')`;
  // The settings that a dump brings along were made for another database.
  await sql`update private.dispatch_state set configured_for = '5.16384.16390.16395'`;

  await platform.publish();
  assert.deepEqual(await platform.requests(), []);
  assert.match(platform.warnings.join(), /this database is a restored copy/);
  assert.equal((await report(sql)).dispatch?.[0], "restored copy");

  await sql`select ops.configure_dispatch(${url}, 'sb_secret_of_the_copy')`;
  await platform.publish();
  assert.equal((await platform.requests()).length, 1);
});

const refusals = [
  [
    "pg_net",
    vaultSql + pgCronSql,
    "enable the extension pg_net first (the server does not have it)",
  ],
  [
    "Vault",
    pgNetSql + pgCronSql,
    "enable the extension supabase_vault first (the server does not have it)",
  ],
] as const;

for (const [name, parts, reason] of refusals) {
  Deno.test(`configure_dispatch() says so where there is no ${name}`, async () => {
    await using platform = await createPlatform(parts);

    await assert.rejects(
      platform.db.sql`select ops.configure_dispatch(${url}, 'sb_secret_key')`,
      { code: "SP409", message: `Cannot configure dispatch: ${reason}` },
    );
  });
}

Deno.test("configure_dispatch() reports a key missing from Vault", async () => {
  await using platform = await createPlatform();
  await using connection = await reserve(platform.db.sql);
  const { sql } = connection;
  await sql`select set_config('test.vault_problem', 'no server secret key defined', false)`;

  await assert.rejects(sql`select ops.configure_dispatch(${url}, 'sb_secret_key')`, {
    code: "SP409",
    message: "Cannot configure dispatch: enable the extension supabase_vault first " +
      "(no server secret key defined)",
  });
});

Deno.test("configure_dispatch() refuses invalid URLs and keys", async () => {
  await using platform = await createPlatform();
  const { sql } = platform.db;
  await assert.rejects(sql`select ops.configure_dispatch('ref.supabase.co', 'sb_secret_key')`, {
    code: "SP400",
  });
  await assert.rejects(sql`select ops.configure_dispatch(${url}, '')`, { code: "SP400" });
});

Deno.test("the error for a project whose Auth never started says to start it", async () => {
  await using db = await createEmptyDatabase();
  await db.sql`create schema auth`;
  await db.sql`create table auth.users (id uuid primary key, email text)`;

  await assert.rejects(applyMigrations(db.url), {
    message: /Cannot use auth.users: it has no column email_confirmed_at/,
  });
});

async function reserve(sql: postgres.Sql): Promise<AsyncDisposable & { sql: postgres.Sql }> {
  const reserved = await sql.reserve();
  return { sql: reserved, [Symbol.asyncDispose]: async () => await reserved.release() };
}

/** As if the last wake-up had been longer ago. */
async function passOneSecond(sql: postgres.Sql): Promise<void> {
  await sql`
    update private.work_wakes
    set notified_at = notified_at - interval '1 second', posted_at = posted_at - interval '1 second'
  `;
}
