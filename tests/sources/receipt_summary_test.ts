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

Deno.test("a receipt says what was wrong with its entries, and whether its body was kept", async () => {
  await using world = await createApiWorld();
  await using inbound = await createInboundWorld({ on: world });
  const mapping = { items: "/items", name: "/name", external_id: "/user" };
  const source = await inbound.createSource({ scheme: "service", mapping });
  const deliver = (...items: Record<string, unknown>[]) =>
    inbound.deliver({ source, body: JSON.stringify({ items }) });
  await deliver({ name: "order_paid", user: "u1" });
  await deliver({ name: "order_paid", user: "u2" }, { name: "order_lost" });
  await inbound.post(`/inbound/${source.id}`, { body: "{}" });
  const { body } = await world.send({
    path: `/sources/${source.id}/receipts`,
    token: await world.signInAs("viewer"),
    workspaceId: world.workspaceId,
  });
  const [refused, rejected, accepted] = body.data;
  assert.deepEqual([accepted.problem, accepted.has_body], [null, true]);
  assert.deepEqual([refused.problem, refused.has_body], [null, false]);
  assert.match(refused.error, /^Signature is missing/);
  const { results } = (await world.send({
    path: `/sources/${source.id}/receipts/${rejected.id}`,
    token: await world.signInAs("viewer"),
    workspaceId: world.workspaceId,
  })).body;
  assert.deepEqual([rejected.problem, rejected.has_body], [results[1].error, true]);
  assert.match(rejected.problem, /external_id|anon_id/);
});
