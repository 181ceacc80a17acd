import assert from "node:assert/strict";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { createInboundWorld } from "../../testing/data/inbound.ts";

Deno.test("a source says when it received its last request, however long ago", async () => {
  await using world = await createApiWorld();
  await using inbound = await createInboundWorld({ on: world });
  const source = await inbound.createSource({ mapping: { name: "/name" } });
  await inbound.deliver({ source, body: '{"name":"ping"}' });
  await world.sql`
    update public.inbound_receipts
    set received_at = date_trunc('milliseconds', now()) - interval '3 days'`;
  const [receipt] = await world.sql`select received_at from public.inbound_receipts`;
  const { body } = await world.send({
    method: "GET",
    path: "/sources",
    token: await world.signInAs("viewer"),
    workspaceId: world.workspaceId,
  });
  const { received_24h, last_received_at } = body.data[0].health;
  assert.equal(received_24h, 0);
  assert.equal(last_received_at, receipt!.received_at.toISOString());
});
