import assert from "node:assert/strict";
import { ingestFor } from "../../testing/data/erasures.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

Deno.test("an event names its customer to those who may read customers", async () => {
  await using world = await createApiWorld();
  const { sql, workspaceId } = world;
  const profile = { first_name: "Ada", last_name: "Lovelace" };
  const [ada] = await ingestFor(sql, workspaceId, [
    { kind: "identify", external_id: "ada", anon_id: "visit-1", profile },
    { kind: "event", anon_id: "visit-1", name: "seen", properties: { total: 1 } },
    { kind: "event", anon_id: "visit-2", name: "seen", properties: { total: 2 } },
  ]);
  const filter = encodeURIComponent('{"property":"total","op":"lte","value":2}');
  for (
    const [scopes, names] of [
      [["events:read", "customers:read"], ["Ada Lovelace", "visit-2"]],
      [["events:read"], [null, null]],
    ] as const
  ) {
    const token = await world.createKey([...scopes]);
    const list = async (path: string) => {
      const { body } = await world.send({ path, token });
      return body.data as { id: string; customer_name: string | null }[];
    };
    const nameAll = async (path: string) =>
      (await list(path)).map(({ customer_name }) => customer_name).toSorted();
    assert.deepEqual(await nameAll("/events?name=seen"), names);
    assert.deepEqual(await nameAll(`/events?filter=${filter}`), names);
    assert.deepEqual(await nameAll(`/events?name=seen&customer_id=${ada}`), [names[0]]);
    const [first] = await list(`/events?name=seen&customer_id=${ada}`);
    const { body: event } = await world.send({ path: `/events/${first!.id}`, token });
    assert.equal(event.customer_name, names[0]);
  }
});
