import assert from "node:assert/strict";
import { applyMigrations, type Migration, readMigrations } from "../../local/migrate.ts";
import { createEmptyDatabase } from "../support/database.ts";

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

Deno.test("applyMigrations() lets several processes start at once", async () => {
  await using db = await createEmptyDatabase();
  const migrations = [
    migration("1", "create table first (id integer)"),
    migration("2", "create table second (id integer)"),
  ];
  const runs = await Promise.all([1, 2, 3, 4].map(() => applyMigrations(db.url, migrations)));
  assert.equal(runs.flat().length, 2);
});

Deno.test("applyMigrations() keeps nothing of a migration that fails, and names file and line", async () => {
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
