import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import postgres from "postgres";
import { applyMigrations } from "../../local/migrate.ts";
import { createAccount } from "../../testing/data/accounts.ts";
import { debianPrograms, startDebianPostgres } from "../../testing/postgres/debian_postgres.ts";
import { publishMessages } from "../../testing/service/dispatch_world.ts";
import { pgNetSql, vaultSql } from "../../testing/postgres/platform_parts.ts";

const everybody = "anon, authenticated, service_role";

/** State of a new project before anything of ours: roles, Auth, extensions, default privileges. */
const newProject = `
  create role anon; create role authenticated; create role service_role bypassrls;
  create schema auth;
  create table auth.users (
    id uuid primary key, email text unique, email_confirmed_at timestamptz,
    banned_until timestamptz, deleted_at timestamptz, created_at timestamptz default now()
  );
  create table auth.identities (id uuid primary key, user_id uuid references auth.users (id));
  create function auth.uid() returns uuid language sql stable as $$
    select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
  $$;
  create extension pg_cron with schema pg_catalog;
  alter default privileges in schema public grant all on tables to ${everybody};
  alter default privileges in schema public grant all on sequences to ${everybody};
  alter default privileges in schema public grant all on functions to ${everybody};
  ${pgNetSql} ${vaultSql}
`;

const dispatcher = "https://ref.supabase.co/functions/v1/webhook-dispatch";

/** The commands of docs/operations.md, as they stand there. */
function readCommands(): string {
  const page = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("\n## Restore from a dump\n");
  const [, commands = ""] = /```sh\n(.*?)```/s.exec(section) ?? [];
  return commands;
}

async function runCommands(env: Record<string, string>): Promise<void> {
  const cwd = await Deno.makeTempDir();
  const { success, stderr } = await new Deno.Command("bash", {
    args: ["-euo", "pipefail", "-c", readCommands()],
    cwd,
    env: { ...env, PATH: `${debianPrograms}:${Deno.env.get("PATH")}` },
  }).output();
  await Deno.remove(cwd, { recursive: true });
  assert(success, new TextDecoder().decode(stderr));
}

async function createProject() {
  const cluster = await startDebianPostgres();
  const sql = postgres(cluster.url, { max: 1, fetch_types: false, onnotice: () => {} });
  await sql.unsafe(newProject);
  return {
    url: cluster.url,
    sql,
    async [Symbol.asyncDispose]() {
      await sql.end();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

async function countRows(sql: postgres.Sql) {
  const [row] = await sql`
    select
      (select count(*)::integer from auth.users) as users,
      (select count(*)::integer from public.workspaces) as workspaces,
      (select count(*)::integer from public.workspace_members) as members,
      (select count(*)::integer from private.webhook_queue) as waiting,
      (select count(*)::integer from supabase_migrations.schema_migrations) as migrations,
      (select count(*)::integer from pg_inherits) as partitions,
      (select count(*)::integer from pg_policies where schemaname = 'public') as policies,
      (select count(*)::integer from pg_trigger where tgrelid = 'auth.users'::regclass
        and not tgisinternal) as triggers
  `;
  return { ...row };
}

/** The jobs of pg_cron, by name. */
async function listJobs(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`select jobname as name from cron.job order by 1`;
  assert(rows.length > 0);
  return rows.map(({ name }) => name);
}

Deno.test("a dump restores into a new project with the documented commands, and wakes no other dispatcher", async (t) => {
  await using old = await createProject();
  await using copy = await createProject();
  await applyMigrations(old.url);
  await createAccount(old.sql, "ada@example.com");
  const [workspace] = await old.sql<{ id: string }[]>`select id from public.workspaces`;
  const workspaceId = workspace!.id;
  await old.sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspaceId}, 'Test', 'https://receiver.test', '{*}')
  `;
  await old.sql`select ops.configure_dispatch(${dispatcher}, 'sb_secret_old')`;
  const publish = (sql: postgres.Sql) =>
    publishMessages(sql, { workspaceId, eventType: "order_created", payloads: [{}] });
  await publish(old.sql);
  const wanted = await countRows(old.sql);

  await runCommands({ OLD_DB_URL: old.url, NEW_DB_URL: copy.url });

  await t.step("everything is there", async () => {
    assert.deepEqual(await countRows(copy.sql), wanted);
    assert.deepEqual(await applyMigrations(copy.url), []);
  });
  await t.step("the copy calls no dispatcher, and says why", async () => {
    await publish(copy.sql);
    await copy.sql`select private.wake_if_due()`;
    assert.equal((await copy.sql`select from net.requests`).length, 0);
    const rows = await copy.sql`select state from ops.connect_platform() where part = 'dispatch'`;
    assert.equal(rows[0]?.state, "restored copy");
  });
  await t.step("configured, it calls its own, and its jobs are there", async () => {
    await copy.sql`select ops.configure_dispatch(${dispatcher}, 'sb_secret_new')`;
    await copy.sql`select private.wake_if_due()`;
    const [request] = await copy.sql`select headers ->> 'apikey' as key from net.requests`;
    assert.equal(request?.key, "sb_secret_new");
    assert.deepEqual(await listJobs(copy.sql), await listJobs(old.sql));
  });
  await t.step("a later table is closed to the Data API", async () => {
    await copy.sql`create table public.later (id integer)`;
    const [row] = await copy
      .sql`select has_table_privilege('anon', 'public.later', 'select') as open`;
    assert.equal(row!.open, false);
  });
  await t.step("nobody has more rights than in the original", async () => {
    const grants = (sql: postgres.Sql) =>
      sql`
        select table_schema, table_name, grantee, privilege_type
        from information_schema.role_table_grants
        where table_schema in ('public', 'private', 'ops') and grantee <> 'postgres'
          and table_name <> 'later'
        union all
        select routine_schema, routine_name, grantee, privilege_type
        from information_schema.role_routine_grants
        where routine_schema in ('public', 'private', 'ops') and grantee <> 'postgres'
        order by 1, 2, 3, 4
      `;
    assert.deepEqual([...await grants(copy.sql)], [...await grants(old.sql)]);
  });
  await t.step("a new account gets its workspace", async () => {
    await createAccount(copy.sql, "grace@example.com");
    assert.equal((await copy.sql`select from public.workspaces`).length, 2);
  });
});
