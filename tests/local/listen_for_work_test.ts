import assert from "node:assert/strict";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { listenForWork } from "../../local/listen_for_work.ts";
import { createEmptyDatabase, type TestDatabase } from "../../testing/postgres/database.ts";
import { startTcpProxy } from "../../testing/postgres/tcp_proxy.ts";

/** Listens by a way that can be cut. */
async function createListener(db: TestDatabase) {
  const url = new URL(db.url);
  const proxy = startTcpProxy({ hostname: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const sql = connectDatabase({ url: url.href, applicationName: "test-listen" });
  const told = { count: 0 };
  await listenForWork(sql, { channel: "webhook_dispatch", wake: () => void told.count++ });
  return {
    proxy,
    told,
    /** Resolves when work was reported that often in all. */
    async waitUntilTold(count: number) {
      while (told.count < count) await db.sql`select 1`;
    },
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 1 });
      proxy[Symbol.dispose]();
    },
  };
}

Deno.test("listenForWork() reports work, and again after a database outage", async () => {
  await using db = await createEmptyDatabase();
  await using listener = await createListener(db);
  await listener.waitUntilTold(1);
  await db.sql`notify webhook_dispatch`;
  await listener.waitUntilTold(2);

  listener.proxy.cut();
  const sessions = () =>
    db.sql`select from pg_stat_activity where application_name = 'test-listen'`;
  while ((await sessions()).length > 0);
  listener.proxy.open();

  // Nobody knows what was notified meanwhile: being there again counts as news.
  await listener.waitUntilTold(3);
  await db.sql`notify webhook_dispatch`;
  await listener.waitUntilTold(4);
  assert.equal(listener.told.count, 4);
});
