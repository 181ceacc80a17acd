import assert from "node:assert/strict";
import postgres from "postgres";
import { applyMigrations } from "../../local/migrate.ts";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { asCaller, type SessionCaller } from "../../supabase/functions/api/kernel/caller.ts";
import { startTestCluster } from "../../testing/postgres/cluster.ts";
import { fetchPostgres, otherMajors } from "../../testing/postgres/postgres_versions.ts";

/** A project as hosted: Auth owns its schema, and the role that deploys is not a superuser. */
const project = `
  create role anon nologin noinherit;
  create role authenticated nologin noinherit;
  create role service_role nologin noinherit bypassrls;
  create role supabase_auth_admin nologin noinherit createrole;
  create role deployer login createrole bypassrls password 'deployer';
  alter database postgres owner to deployer;
  grant anon, authenticated, service_role to deployer with admin option;
  create schema auth authorization supabase_auth_admin;
  set role supabase_auth_admin;
  create table auth.users (
    id uuid primary key, email varchar(255), email_confirmed_at timestamptz,
    banned_until timestamptz, deleted_at timestamptz, created_at timestamptz default now()
  );
  create function auth.uid() returns uuid language sql stable as $$
    select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
  $$;
  grant usage on schema auth to anon, authenticated, service_role, deployer;
  grant all on auth.users to deployer;
`;

for (const major of [17, ...otherMajors] as const) {
  Deno.test(`requests of sessions run as their role where Postgres ${major} is deployed to by no superuser`, async () => {
    await using cluster = await startTestCluster(
      major === 17 ? {} : { package: await fetchPostgres(major) },
    );
    const admin = postgres(cluster.url, { max: 1, fetch_types: false });
    await admin.unsafe(project);
    await admin.end();
    const url = new URL(cluster.url);
    [url.username, url.password] = ["deployer", "deployer"];
    await applyMigrations(url.href);

    const sql = connectDatabase({ url: url.href, applicationName: "test", max: 1 });
    try {
      const userId = crypto.randomUUID();
      await sql`
        insert into auth.users (id, email, email_confirmed_at)
        values (${userId}, 'ada@example.com', now())`;
      const [own] = await sql`select workspace_id as id from public.workspace_members`;
      await sql`insert into public.workspaces (name) values ('Of somebody else')`;
      const caller: SessionCaller = { kind: "session", userId, claims: { sub: userId } };
      const call = { sql, caller, workspaceId: own!.id, isReadOnly: false };
      const seen = await asCaller(call, (tx) =>
        tx`
          select id, current_user::text as role from public.workspaces`);
      assert.deepEqual([...seen], [{ id: own!.id, role: "signalpost_user" }]);
      // Its policy asks auth.uid().
      const left = asCaller(call, (tx) => tx`delete from public.workspace_members`);
      await assert.rejects(left, { message: /^Cannot remove the last owner/ });
      for (const role of ["anon", "authenticated", "service_role"]) {
        const read = sql.begin(async (tx) => {
          await tx.unsafe(`set local role ${role}`);
          await tx`select from public.workspaces`;
        });
        await assert.rejects(read, { code: "42501" }, role);
      }
    } finally {
      await sql.end();
    }
  });
}
