import assert from "node:assert/strict";
import { createWorker } from "../../testing/data/queue.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { createDispatchWorld } from "../../testing/service/dispatch_world.ts";

/** A delivered message, and a key that may read deliveries and nothing else. */
async function createDeliveryWorld() {
  await using stack = new AsyncDisposableStack();
  const dispatch = stack.use(await createDispatchWorld());
  const { db, sql, workspaceId } = dispatch;
  const api = stack.use(await createApiWorld({ db, now: () => dispatch.clock.now }));
  const { id } = await dispatch.addDestination();
  await dispatch.publish("order_created", {});
  const worker = createWorker(dispatch);
  await worker.complete(await worker.claim());
  const token = await api.createKey(["deliveries:read"], workspaceId);
  const kept = stack.move();
  return {
    api,
    sql,
    id,
    /** The names that the list, the details and the attempts in them carry. */
    async readNames() {
      const { data } = (await api.send({ path: "/deliveries", token })).body;
      const detail = (await api.send({ path: `/deliveries/${data[0].id}`, token })).body;
      return [data[0], detail, detail.attempts[0]].map((delivery) => {
        assert.equal(delivery.destination_id, id);
        return delivery.destination_name;
      });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

Deno.test("deliveries carry the name that their destination has today", async () => {
  await using world = await createDeliveryWorld();
  assert.deepEqual(await world.readNames(), ["Test", "Test", "Test"]);
  await world.sql`update public.destinations set name = 'Lake' where id = ${world.id}`;
  assert.deepEqual(await world.readNames(), ["Lake", "Lake", "Lake"]);
});

Deno.test("deliveries of a deleted destination carry no name", async () => {
  await using world = await createDeliveryWorld();
  await world.sql`delete from public.destinations where id = ${world.id}`;
  assert.deepEqual(await world.readNames(), [null, null, null]);
});
