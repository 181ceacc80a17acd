import assert from "node:assert/strict";
import type postgres from "postgres";
import { applyMigrations } from "../../local/migrate.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createEmptyDatabase } from "../../testing/postgres/database.ts";
import { platformSql } from "../../testing/postgres/platform_parts.ts";

const base = "https://ref.supabase.co/functions/v1";

/** A database with pg_net that knows where the functions are. */
async function createPlatform() {
  const db = await createEmptyDatabase();
  const { sql } = db;
  await sql.unsafe(platformSql);
  await applyMigrations(db.url);
  await sql`select ops.configure_dispatch(${`${base}/webhook-dispatch`}, 'sb_secret_new')`;
  return { db, sql, workspaceId: await createWorkspace(sql) };
}

Deno.test("with pg_net, a new send wakes send-dispatch at commit, at most once per second", async () => {
  const { db, sql, workspaceId } = await createPlatform();
  await using _ = db;
  const requests = async () => [...await sql`select * from net.requests`];
  const create = (tx: postgres.Sql) =>
    tx`select private.create_sends(jsonb_build_array(jsonb_build_object(
      'workspace_id', ${workspaceId}::text, 'sender_id', gen_random_uuid(),
      'email', 'ada@example.com', 'purpose', 'test')))`;
  await sql.begin(async (tx) => {
    await create(tx as unknown as postgres.Sql);
    throw new Error("rolled back");
  }).catch(() => {});
  assert.deepEqual(await requests(), []);
  await create(sql);
  await create(sql);
  assert.deepEqual(await requests(), [{
    url: `${base}/send-dispatch`,
    body: {},
    headers: { "content-type": "application/json", apikey: "sb_secret_new" },
    timeout_milliseconds: 5000,
  }]);
});

Deno.test("with pg_net, the schedule wakes send-dispatch for what is due, unless a run looks for work", async () => {
  const { db, sql, workspaceId } = await createPlatform();
  await using _ = db;
  const countWakes = async () => {
    await sql`update private.work_wakes set posted_at = '-infinity', notified_at = '-infinity'`;
    await sql`delete from net.requests`;
    await sql`select private.wake_sends_if_due()`;
    return (await sql`select from net.requests where url like '%/send-dispatch'`).length;
  };
  assert.equal(await countWakes(), 0);
  await sql`
    insert into private.send_arrivals (workspace_id, sender_ids, due_at)
    values (${workspaceId}, array[gen_random_uuid()], now())`;
  assert.equal(await countWakes(), 1);
  await sql`select private.watch_sends('1 minute')`;
  assert.equal(await countWakes(), 0);
});
