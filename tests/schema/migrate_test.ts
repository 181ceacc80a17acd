import assert from "node:assert/strict";
import { applyMigrations, type Migration, readMigrations } from "../../local/migrate.ts";
import type postgres from "postgres";
import { createEmptyDatabase, createTestDatabase } from "../../testing/postgres/database.ts";

function migration(version: string, text: string): Migration {
  return { version, name: "make_things", file: `${version}_make_things.sql`, text };
}

Deno.test("applyMigrations() applies and records every migration, and each only once", async () => {
  await using db = await createEmptyDatabase();
  const all = readMigrations();
  assert.deepEqual(await applyMigrations(db.url), all.map(({ file }) => file));
  assert.deepEqual(await applyMigrations(db.url), []);
  const recorded = await db.sql`
    select version, name from supabase_migrations.schema_migrations order by version`;
  assert.deepEqual(
    recorded.map((row) => ({ ...row })),
    all.map(({ version, name }) => ({ version, name })),
  );
});

Deno.test("applyMigrations() refuses to continue from a changed migration", async () => {
  await using db = await createEmptyDatabase();
  await applyMigrations(db.url, [migration("1", "create table first (id integer)")]);
  const changed = [
    migration("1", "create table first (id bigint)"),
    migration("2", "create table second (id integer)"),
  ];
  await assert.rejects(applyMigrations(db.url, changed), {
    message:
      'Cannot continue from migration "1_make_things.sql": it was changed since it was applied ' +
      "to this database; start on a new one (--fresh)",
  });
  const [found] = await db.sql`select to_regclass('second') as second`;
  assert.equal(found!.second, null);
});

Deno.test("applyMigrations() refuses to continue from a removed migration", async () => {
  await using db = await createEmptyDatabase();
  await applyMigrations(db.url, [migration("1", "-- Purpose: first.\ncreate table first ()")]);
  await assert.rejects(applyMigrations(db.url, [migration("2", "create table second ()")]), {
    message:
      'Cannot continue from migration "1_make_things.sql": it was removed since it was applied ' +
      "to this database; start on a new one (--fresh)",
  });
  const [found] = await db.sql`select to_regclass('second') as second`;
  assert.equal(found!.second, null);
});

Deno.test("applyMigrations() ignores other migrations", async () => {
  await using db = await createEmptyDatabase();
  await applyMigrations(db.url, [migration("1", "create table theirs ()")]);
  const ours = [migration("2", "create table ours ()")];
  assert.deepEqual(await applyMigrations(db.url, ours), ["2_make_things.sql"]);
});

Deno.test("applyMigrations() lets several processes start at once", async () => {
  await using db = await createEmptyDatabase();
  const migrations = [
    migration("1", "create table first (id integer)"),
    migration("2", "create table second (id integer)"),
  ];
  const runs = await Promise.all([1, 2, 3, 4].map(() => applyMigrations(db.url, migrations)));
  assert.equal(runs.flat().length, 2);
});

Deno.test("applyMigrations() rolls back a failed migration, and names file and line", async () => {
  await using db = await createEmptyDatabase();
  const migrations = [
    migration("1", "create table kept (id integer)"),
    migration("2", "create table lost (id integer);\nselect * from missing;"),
  ];
  await assert.rejects(applyMigrations(db.url, migrations), {
    message:
      'Cannot apply migration "2_make_things.sql", line 2: relation "missing" does not exist',
  });
  const [found] = await db.sql`select to_regclass('kept') as kept, to_regclass('lost') as lost`;
  assert.deepEqual({ ...found }, { kept: "kept", lost: null });
});

/** Grants to each role on everything of ours, columns included. */
async function listGrants(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ grant: string }[]>`
    with objects (name, schema, acl, owner) as (
      select oid::regclass::text, relnamespace, relacl, relowner from pg_class
      union all
      select format('%s.%s', c.oid::regclass, a.attname), c.relnamespace, a.attacl, c.relowner
      from pg_attribute as a join pg_class as c on c.oid = a.attrelid
      union all
      select oid::regprocedure::text, pronamespace, proacl, proowner from pg_proc
      union all
      select nspname, oid, nspacl, nspowner from pg_namespace
    )
    select format('%s on %s to %s', x.privilege_type, o.name, x.grantee::regrole) as grant
    from objects as o, aclexplode(o.acl) as x
    where o.schema::regnamespace::text in ('public', 'private', 'ops')
      and x.grantee <> 0 and x.grantee <> o.owner
    order by 1
  `;
  return rows.map(({ grant }) => grant);
}

Deno.test("a project that grants everything by default gets the grants of every other project", async () => {
  await using fresh = await createTestDatabase();
  await using generous = await createEmptyDatabase();
  const everybody = "anon, authenticated, service_role";
  for (const kind of ["tables", "sequences", "functions"]) {
    await generous.sql.unsafe(
      `alter default privileges in schema public grant all on ${kind} to ${everybody}`,
    );
  }
  await applyMigrations(generous.url);

  const grants = await listGrants(fresh.sql);
  assert(grants.includes("SELECT on customers to signalpost_user"), grants.join("\n"));
  assert.deepEqual(await listGrants(generous.sql), grants);
});
