import assert from "node:assert/strict";
import { createOwner, prepareSends } from "../../testing/service/api_sends.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

const steps = { end: { exit: {} } };

const condition = { field: "country", op: "eq", value: "DE" };
const definition = { trigger: { api: true }, start: "end", steps };

/** Resources, a change to the same, and changes to something else. */
const resources: [list: string, body: object, same: object, ...others: object[]][] = [
  ["/topics", { key: "tips", name: "Tips", default: "subscribed" }, { name: "Tips" }, {
    name: "T",
  }],
  [
    "/segments",
    { name: "Germans", condition },
    { name: "Germans", condition },
    { name: "G" },
    { condition: { ...condition, value: "AT" } },
  ],
  ["/views", { list: "sends", name: "Sent" }, { name: "Sent", columns: null }, { name: "S" }],
  [
    "/journeys",
    { name: "Welcome", definition },
    { name: "Welcome", definition },
    { description: "Greets" },
    { definition: { ...definition, entry: { again: "never" } } },
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
  for (const [list, body, same, ...others] of resources) {
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
      let last = made.updated_at;
      for (const other of others) {
        const later = await change(other);
        assert.ok(later > last, `${JSON.stringify(other)} does not move ${last}`);
        assert.equal(await change(other), later);
        last = later;
      }
    });
  }
});
