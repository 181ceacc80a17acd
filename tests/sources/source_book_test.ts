import assert from "node:assert/strict";
import { connectDatabase, type Sql } from "../../supabase/functions/_shared/db/connect.ts";
import { createSecretBox } from "../../supabase/functions/_shared/secrets/secrets.ts";
import { createSourceBook } from "../../supabase/functions/inbound/source_book.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";

/** The same pool, and how many statements it was given. */
function countStatements(sql: Sql) {
  let count = 0;
  const counted = new Proxy(sql, {
    apply(target, self, args) {
      count++;
      return Reflect.apply(target, self, args);
    },
  });
  return { sql: counted, count: () => count };
}

Deno.test("createSourceBook() looks unknown ids up in groups, and finds the known one among them", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  const rows = await db.sql<{ id: string; enabled: boolean }[]>`
    insert into public.inbound_sources (workspace_id, name, scheme, enabled)
    values (${workspaceId}, 'On', 'github', true), (${workspaceId}, 'Off', 'github', false)
    returning id, enabled`;
  const idOf = (enabled: boolean) => rows.find((row) => row.enabled === enabled)!.id;
  const pool = connectDatabase({ url: db.url, role: "signalpost_ingest", applicationName: "test" });
  const { sql, count } = countStatements(pool);
  const secrets = await createSecretBox(btoa(String.fromCharCode(...new Uint8Array(32))));
  const book = createSourceBook({ sql, secrets, now: () => new Date() });
  const ids = Array.from({ length: 400 }, () => crypto.randomUUID() as string);
  ids.splice(200, 0, idOf(true), idOf(false), "nonsense");

  const found = await Promise.all(ids.map((id) => book.find(id)));

  assert.deepEqual(
    found.flatMap((source) =>
      source === undefined || "movedTo" in source ? [] : [[source.id, source.workspaceId]]
    ),
    [[idOf(true), workspaceId]],
  );
  assert(count() <= 3, `${count()} statements`);
  await pool.end();
});
