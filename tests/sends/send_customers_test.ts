import assert from "node:assert/strict";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { createSendWorld } from "../../testing/service/send_world.ts";

Deno.test("erasing a customer deletes messages and keys, and keeps the uses of caps", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive();
  const sender_id = await world.addSender(receiver.port);
  const customer_id = await world.addCustomer("ada@example.com");
  const other = await world.addCustomer("bob@example.com");
  await world.sql`
    insert into public.send_settings (workspace_id, caps)
    values (${world.workspaceId}, '[{"max": 5, "per": "7d"}]')`;
  await world.create({ sender_id, customer_id, topic_id: world.topicId, key: "api:1" });
  await world.dispatch();
  await world.create(
    { sender_id, customer_id, key: "api:2" },
    { sender_id, customer_id: other, key: "api:3" },
    { sender_id, email: "ADA@example.com", purpose: "test" },
  );
  await world.dispatch();
  const [waiting] = await world.create({ sender_id, customer_id, key: "api:4" });

  await world.sql`
    insert into private.erasures (workspace_id, customer_id, customer_ids, search_terms, step)
    values (${world.workspaceId}, ${customer_id}, array[${customer_id}]::uuid[],
      array['ada@example.com'], 'sends')`;
  await world.sql`
    select private.erase_sends(e, 100, now()) from private.erasures as e`;
  const sends = await world.sql`select customer_id, email from public.sends`;
  assert.deepEqual(sends.map((row) => row.customer_id), [other]);
  const keys = await world.sql`select key from private.send_keys`;
  assert.deepEqual(keys.map(({ key }) => key), ["api:3"]);
  assert.equal((await world.sql`select from private.cap_uses`).length, 1);
  const sent = receiver.requests.length;
  await world.dispatch();
  assert.equal(receiver.requests.length, sent, "what waited is dropped");
  assert.equal((await world.sql`select from private.send_queue`).length, 0);
  assert.equal(await world.read(waiting!), undefined);
});

Deno.test("messages go along with a merged customer", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive();
  const sender_id = await world.addSender(receiver.port);
  const merged = await world.addCustomer("ada@example.com");
  const survivor = await world.addCustomer("grace@example.com");
  const [id] = await world.create({ sender_id, customer_id: merged });
  const sql = connectDatabase({ url: world.db.url, applicationName: "test" });
  const [result] = await ingestEntries(sql, [{
    workspace_id: world.workspaceId,
    kind: "alias",
    previous_id: "user-ada@example.com",
    external_id: "user-grace@example.com",
  }]);
  await sql.end();
  assert(result?.ok, JSON.stringify(result));
  await world.dispatch();
  const row = await world.read(id!);
  assert.equal(row.state, "sent");
  assert.deepEqual(await world.events(result.customer_id), ["email_sent"]);
  assert([merged, survivor].includes(result.customer_id));
});
