import assert from "node:assert/strict";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { createInboundWorld } from "../../testing/data/inbound.ts";

Deno.test("a receipt has the names of the events that it became, each once and in order", async () => {
  await using world = await createApiWorld();
  const token = await world.signInAs("viewer");
  const { workspaceId } = world;
  const read = async (path: string) => (await world.send({ path, token, workspaceId })).body;
  await using inbound = await createInboundWorld({ on: world });
  const mapping = { items: "/items", name: "/name", external_id: "/user" };
  const source = await inbound.createSource({ scheme: "service", mapping });
  const user = "u1";
  const deliver = async (...items: Record<string, unknown>[]) => {
    const sent = await inbound.deliver({ source, body: JSON.stringify({ items }) });
    return sent.body.receipt_id as string;
  };
  const readNames = async (id: string): Promise<string[]> =>
    (await read(`/sources/${source.id}/receipts/${id}`)).event_names;
  const paid = await deliver({ name: "order_paid", user });
  const many = await deliver(
    ...["g", "b", "g", "a", "f", "e", "d", "c"].map((name) => ({ name, user })),
  );
  const rejected = await deliver({ name: "order_lost" }, { name: "order_paid", user });
  const nameless = await deliver({ user });
  await inbound.post(`/inbound/${source.id}`, { body: "{}" });

  assert.deepEqual(await readNames(paid), ["order_paid"]);
  assert.deepEqual(await readNames(many), ["g", "b", "a", "f", "e"]);
  assert.deepEqual(await readNames(rejected), ["order_lost", "order_paid"]);
  assert.deepEqual(await readNames(nameless), []);
  const { data } = await read(`/sources/${source.id}/receipts`);
  assert.deepEqual(data.map((each: { event_names: string[] }) => each.event_names), [
    [],
    [],
    ["order_lost", "order_paid"],
    ["g", "b", "a", "f", "e"],
    ["order_paid"],
  ]);
});
