import assert from "node:assert/strict";
import { readMigrations } from "../../local/migrate.ts";
import { readSchema } from "../../tools/schema/release.ts";
import { splitMigration } from "../../tools/schema/migration_texts.ts";
import { describeSchema } from "../../tools/schema/snapshot.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";

const files = readSchema();

/** The statements of an SQL text, without bodies in dollar quotes, comments and quoted text. */
function listStatements(text: string): string[] {
  const code = text
    .replace(/(\$\w*\$)[\s\S]*?\1/g, "''")
    .replace(/--.*$/gm, "")
    .replace(/'(?:[^']|'')*'/g, "''");
  return code.split(";").map((one) => one.trim().replace(/\s+/g, " ")).filter(Boolean);
}

/** Names such as "private.ingest" of the functions and views that an SQL text creates. */
function listDefined(text: string): string[] {
  return listStatements(text).flatMap((statement) =>
    statement.match(/^create (?:or replace )?(?:function|view) ([a-z0-9_.]+)/)?.[1] ?? []
  );
}

Deno.test("applying supabase/schema on top of the migrations changes nothing", async () => {
  await using db = await createTestDatabase();
  const before = await describeSchema(db.sql);
  await db.sql.begin(async (tx) => {
    // Every body is checked here: all tables exist.
    await tx`set local check_function_bodies = on`;
    for (const { text } of files) await tx.unsafe(text);
  });
  assert.equal(await describeSchema(db.sql), before);
});

Deno.test("supabase/schema defines every function and view of public, private and ops, and each once", async () => {
  await using db = await createTestDatabase();
  const rows = await db.sql<{ name: string }[]>`
    select format('%s.%s', p.pronamespace::regnamespace, p.proname) as name
    from pg_proc as p
    where p.pronamespace::regnamespace::text in ('public', 'private', 'ops')
    union all
    select format('%s.%s', c.relnamespace::regnamespace, c.relname)
    from pg_class as c
    where c.relnamespace::regnamespace::text in ('public', 'private', 'ops')
      and c.relkind in ('v', 'm')`;
  const defined = files.flatMap(({ text }) => listDefined(text));
  assert(defined.length > 200);
  assert.deepEqual(defined.toSorted(), rows.map(({ name }) => name).toSorted());
});

Deno.test("supabase/schema can be applied repeatedly, and migrations define no function by hand", () => {
  const repeatable =
    /^(create or replace (function|view)|comment on (function|view)|(grant|revoke) |select private\.close_default_privileges\(\)$)/;
  for (const { path, text } of files) {
    assert.match(text, /^-- Purpose: /, path);
    for (const statement of listStatements(text)) assert.match(statement, repeatable, path);
  }
  for (const { file, text } of readMigrations()) {
    const { head, tail } = splitMigration(text);
    assert.deepEqual(listDefined(head + tail), [], file);
  }
});
