import assert from "node:assert/strict";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { createListener } from "../../supabase/functions/_shared/work/listener.ts";
import { createEmptyDatabase } from "../../testing/postgres/database.ts";

Deno.test("createListener() hears empty notifications, and not the test of another listener", async () => {
  await using db = await createEmptyDatabase();
  const listenAs = (name: string) => connectDatabase({ url: db.url, applicationName: name });
  const [first, second] = [listenAs("first"), listenAs("second")];
  let told = 0;
  const listener = createListener(first, { channel: "work", tell: () => void told++ });
  assert.equal(listener.isHearing, false);
  listener.open();
  while (!listener.isHearing) await db.sql`select 1`;

  const other = createListener(second, { channel: "work", tell: () => {} });
  other.open();
  while (!other.isHearing) await db.sql`select 1`;
  await db.sql`notify work`;
  while (told === 0) await db.sql`select 1`;

  assert.equal(told, 1);
  await Promise.all([first.end({ timeout: 1 }), second.end({ timeout: 1 })]);
});
