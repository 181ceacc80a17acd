import assert from "node:assert/strict";
import { createOwner, prepareSends } from "../../testing/service/api_sends.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

Deno.test("GET /sends/explain says nothing about the address of a customer who has none", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const { ada, bob } = await prepareSends(world, act);
  const news = { template: "news", sender: "main", topic: "news" };
  for (const external_id of ["ada", "bob"]) await act("POST", "/sends", { ...news, external_id });
  const explain = async (id: string) => {
    const { checks } = (await act("GET", `/sends/explain?customer_id=${id}`)).body;
    return checks.filter(({ subject }: { subject: string }) => subject !== "send")
      .map(({ subject, ok }: Record<string, unknown>) => [subject, ok]);
  };
  assert.deepEqual(await explain(bob), [["address", false], ["quiet_hours", true], [
    "sender",
    true,
  ]]);
  assert.deepEqual(await explain(ada), [
    ["address", true],
    ["suppression", true],
    ["consent", true],
    ["quiet_hours", true],
    ["sender", true],
  ]);
});
