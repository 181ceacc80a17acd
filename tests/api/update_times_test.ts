import assert from "node:assert/strict";
import { createOwner, prepareSends } from "../../testing/service/api_sends.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

const steps = { end: { exit: {} } };

/** Resources, a change of each, and another one. */
const resources: [list: string, body: object, same: object, other: object][] = [
  ["/topics", { key: "tips", name: "Tips", default: "subscribed" }, { name: "Tips" }, {
    name: "T",
  }],
  ["/segments", { name: "Friends", kind: "static" }, { name: "Friends" }, { name: "F" }],
  ["/views", { list: "sends", name: "Sent" }, { name: "Sent", columns: null }, { name: "S" }],
  [
    "/journeys",
    { name: "Welcome", definition: { trigger: { api: true }, start: "end", steps } },
    { name: "Welcome" },
    { description: "Greets" },
  ],
  [
    "/campaigns",
    { name: "Sale", segment: "all", template: "news", sender: "main", topic: "news" },
    { name: "Sale" },
    { name: "S" },
  ],
  [
    "/alert-rules",
    { name: "Down", kind: "destination_failing" },
    { name: "Down" },
    { name: "D" },
  ],
];

Deno.test("a change that changes nothing keeps updated_at", async (t) => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  await prepareSends(world, act);
  await act("POST", "/segments", { key: "all", name: "All", kind: "static" });
  for (const [list, body, same, other] of resources) {
    await t.step(list, async () => {
      const { status, body: made } = await act("POST", list, body);
      assert.equal(status, 201, JSON.stringify(made));
      const path = `${list}/${made.id}`;
      const change = async (fields: object) => {
        const changed = await act("PATCH", path, fields);
        assert.equal(changed.status, 200, JSON.stringify(changed.body));
        return (await act("GET", path)).body?.updated_at ?? changed.body.updated_at;
      };
      assert.equal(await change(same), made.updated_at);
      const later = await change(other);
      assert.ok(later > made.updated_at, later);
      assert.equal(await change(other), later);
    });
  }
});
