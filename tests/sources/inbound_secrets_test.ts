import assert from "node:assert/strict";
import { createInboundWorld } from "../../testing/data/inbound.ts";

Deno.test("a source without a secret refuses every request, and says why", async () => {
  await using world = await createInboundWorld();
  const source = await world.createSource();
  await world.db.sql`delete from private.inbound_secrets where source_id = ${source.id}`;
  const { status, body } = await world.deliver({ source, body: '{"name":"ping"}' });
  const reason = "Source has no secret yet, so no signature can be checked: add the secret";
  assert.deepEqual([status, body.error], [401, reason]);
  const receipts = await world.db.sql`
    select outcome, error from public.inbound_receipts where source_id = ${source.id}`;
  assert.deepEqual([...receipts], [{ outcome: "refused", error: reason }]);
});
