import assert from "node:assert/strict";
import { applyMigrations, readMigrations } from "../../local/migrate.ts";
import { createEmptyDatabase } from "../../testing/postgres/database.ts";
import { startTestStack } from "../../testing/service/stack.ts";
import { makeProject, runSupabase } from "../../testing/service/supabase_cli.ts";

Deno.test("supabase db push applies every migration to a plain Postgres", async (t) => {
  await using project = await makeProject();
  await using db = await createEmptyDatabase();
  const remote = `--remote=${db.url}?sslmode=disable`;
  const pushed = await runSupabase(project.path, ["db", "push", remote, "--yes"]);
  assert.equal(pushed.code, 0, pushed.text);

  await t.step("the local stack continues from there", async () => {
    assert.deepEqual(await applyMigrations(db.url), []);
    await using stack = await startTestStack({ args: ["--database-url", db.url] });
    const response = await fetch(`${stack.info.base_url}/auth/v1/health`, {
      headers: { apikey: stack.info.publishable_key },
    });
    await response.body?.cancel();
    assert.equal(response.status, 200);
  });
});

Deno.test("supabase db push finds nothing to do after the local stack's migrations", async () => {
  await using project = await makeProject();
  await using db = await createEmptyDatabase();
  assert.equal((await applyMigrations(db.url)).length, readMigrations().length);
  const remote = `--remote=${db.url}?sslmode=disable`;
  const pushed = await runSupabase(project.path, ["db", "push", remote, "--yes"]);
  assert.equal(pushed.code, 0, pushed.text);
  assert.doesNotMatch(pushed.text, /Applying migration/);
});
