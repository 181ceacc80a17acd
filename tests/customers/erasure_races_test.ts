import assert from "node:assert/strict";
import { eraseWithin, ingestFor } from "../../testing/data/erasures.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createSentMessage, readSendState } from "../../testing/data/sent_messages.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { interleave } from "../../testing/postgres/locks.ts";
import { createSendWorld } from "../../testing/service/send_world.ts";

Deno.test("a message that is sent while its customer is erased does not bring the customer back", async () => {
  await using world = await createSendWorld();
  const { sql, workspaceId } = world;
  const receiver = await world.receive();
  const sender_id = await world.addSender(receiver.port);
  const customer_id = await world.addCustomer("ada@example.com");
  await world.create({ sender_id, customer_id });
  await interleave(
    sql,
    (tx) => eraseWithin(tx, workspaceId, [customer_id]),
    () => world.dispatch(),
  );
  assert.equal(receiver.requests.length, 1, "it was with the provider");
  const customers = await sql`select from public.customers`;
  const events = await sql`select from public.events where name = 'email_sent'`;
  assert.deepEqual([customers.length, events.length], [0, 0]);
});

Deno.test("a report that waits for the erasure of its customer is refused, and others are stored", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  const sendIds: string[] = [];
  for (const name of ["ada", "bob", "cy"]) {
    const message = { externalId: name, email: `${name}@example.com` };
    sendIds.push(await createSentMessage(db.sql, workspaceId, message));
  }
  const [ada, , cy] = await ingestFor(
    db.sql,
    workspaceId,
    ["ada", "bob", "cy"].map((name) => ({ kind: "event", name: "seen", external_id: name })),
  );
  const report = (external_id: string, sendId: string) => ({
    workspace_id: workspaceId,
    kind: "event",
    name: "email_delivered",
    external_id,
    properties: { send_id: sendId },
    effect: { send_id: sendId },
  });
  const reports = [
    report("ada", sendIds[0]!),
    report("bob", sendIds[1]!),
    report("cy", sendIds[2]!),
  ];
  const [, rows] = await interleave(
    db.sql,
    (tx) => eraseWithin(tx, workspaceId, [ada!, cy!]),
    (sql) => sql`select private.ingest_reports(${JSON.stringify(reports)}) as results`,
  );
  const results: { ok: boolean; code?: string }[] = rows[0]!.results;
  assert.deepEqual(results.map(({ ok, code }) => code ?? ok), ["not_found", true, "not_found"]);
  assert.equal((await readSendState(db.sql, sendIds[1]!)).feedback, "delivered");
  const ids = await db.sql`select value from public.identities`;
  assert.deepEqual(ids.map(({ value }) => value), ["bob"]);
});
