import assert from "node:assert/strict";
import { createInboundWorld } from "../../testing/data/inbound.ts";

Deno.test("POST /inbound answers 503 while the workspace moves, unless it has stored something", async () => {
  await using world = await createInboundWorld();
  const { db: { sql }, workspaceId } = world;
  const mapping = { name: { value: "invoice_paid" }, external_id: "/user" };
  const source = await world.createSource({ mapping });
  const entry = { source, body: '{"id":"evt_1","type":"invoice.paid","user":"u1"}', id: "msg_1" };
  const ignored = { source, body: '{"id":"evt_2","type":"invoice.paid"}', id: "msg_2" };
  assert.equal((await world.deliver(entry)).status, 200);
  await sql`
    select ops.fence_table(${workspaceId}, t.name::regclass) from ops.fenced_tables() as t`;
  for (const delivery of [entry, ignored]) {
    const { status, body, headers } = await world.deliver(delivery);
    assert.deepEqual([status, body.code], [503, "unavailable"]);
    assert.match(headers.get("retry-after") ?? "", /^\d+$/);
  }
  await sql`
    select ops.open_table(${workspaceId}, t.name::regclass) from ops.fenced_tables() as t`;
  assert.equal((await world.deliver(entry)).status, 200);
  const [{ events } = {}] = await sql`select count(*)::int as events from public.events`;
  assert.equal(events, 1);
});
