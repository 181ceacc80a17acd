import assert from "node:assert/strict";
import { createTrackWorld, type TrackWorld } from "../../testing/service/app.ts";

/** A world whose workspace has a destination that subscribes to everything. */
async function createListeningWorld(): Promise<TrackWorld> {
  const world = await createTrackWorld();
  await world.db.sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${world.workspaceId}, 'Test', 'https://example.com/', '{*}')
  `;
  return world;
}

/** The types of the messages that were made since the last time, in order. */
async function takeTypes(world: TrackWorld): Promise<string[]> {
  const rows = await world.db.sql<{ event_type: string }[]>`
    with taken as (delete from public.webhook_messages returning id, event_type)
    select event_type from taken order by id
  `;
  return rows.map((row) => row.event_type);
}

Deno.test("track makes one message per stored event, and none for duplicates", async () => {
  await using world = await createListeningWorld();
  const event = { anon_id: "anon-1", name: "viewed", idempotency_key: "key-1" };
  await world.send(event);
  assert.deepEqual(await takeTypes(world), ["viewed"]);
  await world.send(event);
  assert.deepEqual(await takeTypes(world), []);
  const again = { ...event, name: "bought", idempotency_key: "key-2" };
  await world.send({ events: [again, again, event] });
  assert.deepEqual(await takeTypes(world), ["bought"]);
});

Deno.test("track makes one message per created, updated or merged customer", async () => {
  await using world = await createListeningWorld();
  const identify = { type: "identify", external_id: "user-1", first_name: "Ann" };
  const alias = { type: "alias", external_id: "user-1", previous_id: "user-2" };
  const steps: [call: unknown, types: string[]][] = [
    [{ anon_id: "anon-1", name: "viewed" }, ["viewed"]],
    [{ ...identify, idempotency_key: "key-1" }, ["customer.created"]],
    [{ ...identify, last_name: "Archer", idempotency_key: "key-1" }, []],
    [identify, []],
    [{ ...identify, first_name: "Bea" }, ["customer.updated"]],
    [{ ...identify, anon_id: "anon-1", first_name: "Bea" }, ["customer.merged"]],
    [alias, []],
    [{ external_id: "user-2", name: "viewed" }, ["customer.created", "viewed"]],
    [alias, ["customer.merged"]],
    [alias, []],
  ];
  for (const [call, types] of steps) {
    await world.send(call);
    assert.deepEqual(await takeTypes(world), types, JSON.stringify(call));
  }
});
