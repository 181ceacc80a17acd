import assert from "node:assert/strict";
import { createWorker } from "../../testing/data/queue.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { createDispatchWorld } from "../../testing/service/dispatch_world.ts";

Deno.test("the list, the details and the attempts of a delivery show the headers of its response", async () => {
  await using dispatch = await createDispatchWorld();
  const { db, workspaceId } = dispatch;
  await using api = await createApiWorld({ db, now: () => dispatch.clock.now });
  await dispatch.addDestination();
  const worker = createWorker(dispatch);
  const token = await api.createKey(["deliveries:read"], workspaceId);
  const headers = { "content-type": "text/plain", "x-request-id": "req_81" };

  for (const response_headers of [headers, null]) {
    await dispatch.publish("order_created", {});
    await worker.complete(await worker.claim(), { response_headers });
    dispatch.clock.advance(1_000);

    const [first] = (await api.send({ path: "/deliveries", token })).body.data;
    const detail = (await api.send({ path: `/deliveries/${first.id}`, token })).body;

    for (const delivery of [first, detail, detail.attempts[0]]) {
      assert.deepEqual(delivery.response_headers, response_headers);
    }
  }
});
