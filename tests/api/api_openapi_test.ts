import assert from "node:assert/strict";
import { routes } from "../../supabase/functions/api/routes.ts";
import { scopes } from "../../supabase/functions/_shared/access/auth.ts";
import { createUuidV7 } from "../../supabase/functions/_shared/ids/uuid_v7.ts";
import { bodyOf, sampleApiCalls } from "../../testing/service/api_calls.ts";
import { createApiEntities } from "../../testing/access/api_entities.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { createTrackWorld } from "../../testing/service/app.ts";
import { createInboundWorld } from "../../testing/data/inbound.ts";
import {
  assertQuery,
  assertRequest,
  assertResponse,
  findOperation,
  operations,
} from "../../testing/service/openapi.ts";

/** Those of the other functions, each called by a test below or in the function's own suite. */
const elsewhere = [
  "track",
  "registerDevice",
  "removeDevice",
  "trackSegment",
  "getSegmentSettings",
  "receiveWebhook",
  "wakeDispatcher",
  "compileMjml",
  "getHealth",
  "getOpenApi",
];

Deno.test("the OpenAPI document lists every route of the api, and no others", () => {
  const described = operations.map(({ operationId }) => operationId).toSorted();
  const real = [...routes.map(({ operationId }) => operationId), ...elsewhere].toSorted();
  assert.deepEqual(described, real);
  for (const { operationId, path, method } of routes) {
    const operation = findOperation(operationId);
    assert.equal(operation.path, `/api${path}`);
    assert.equal(operation.method, method.toLowerCase());
  }
});

Deno.test("api responses match the OpenAPI document, including errors", async (t) => {
  await using world = await createApiWorld();
  for (const route of routes) {
    await t.step(route.operationId, async () => {
      const operation = findOperation(route.operationId);
      const sample = sampleApiCalls[route.operationId]!;
      const entities = await createApiEntities(world);
      const { workspaceId } = entities;
      const token = await world.signInAs("owner", workspaceId);
      const id = await sample.makeOwn?.(world, token) ?? sample.entity?.(entities) ?? "";
      const path = sample.path(id, entities);
      const { method } = route;
      const body = bodyOf(sample, entities);
      assertQuery(operation, new URLSearchParams(path.split("?")[1]));
      if (route.body !== undefined) assertRequest(operation, body);

      assertResponse(operation, await world.send({ method, path, workspaceId, body }));
      const others = scopes.filter((scope) => !route.scopes.includes(scope));
      const viewer = await world.createKey(others, workspaceId);
      assertResponse(operation, await world.send({ method, path, token: viewer, body }));
      const response = await world.send({ method, path, token, workspaceId, body });
      assertResponse(operation, response);
      assert.equal(response.status, route.status);
      if (sample.entity !== undefined) {
        const missing = sample.path(createUuidV7(new Date()), entities);
        const call = { method, path: missing, token, workspaceId, body };
        const refused = await world.send(call);
        assert.equal(refused.status, 404);
        assertResponse(operation, refused);
      }
      if (route.body !== undefined) {
        for (const bad of [{ nonsense: 1 }, [], "text"]) {
          const again = await createApiEntities(world);
          const caller = await world.signInAs("owner", again.workspaceId);
          const refused = await world.send({
            method,
            path: sample.path(sample.entity?.(again) ?? "", again),
            token: caller,
            workspaceId: again.workspaceId,
            body: bad,
          });
          assert.equal(refused.status, 400);
          assertResponse(operation, refused);
        }
      }
    });
  }
});

Deno.test("track responses match the OpenAPI document", async () => {
  await using world = await createTrackWorld();
  const event = { external_id: "u1", name: "seen", properties: { n: 1 } };
  const identify = { type: "identify", external_id: "u1", anon_id: "a1", email: "ada@example.com" };
  const alias = { type: "alias", external_id: "u1", previous_id: "nobody" };
  for (const body of [event, identify, alias, { events: [event, identify, alias, event] }]) {
    const operation = findOperation("track");
    assertRequest(operation, body);
    assertResponse(operation, await world.send(body));
  }
  for (const body of [{}, { events: [] }, { name: "seen" }]) {
    const response = await world.send(body);
    assert.equal(response.status, 400);
    assertResponse(findOperation("track"), response);
  }
  const device = { external_id: "u1", token: "t1", platform: "ios" };
  const path = "/track/devices";
  assertRequest(findOperation("registerDevice"), device);
  assertResponse(findOperation("registerDevice"), await world.send(device, { path }));
  const removed = { token: "t1" };
  assertRequest(findOperation("removeDevice"), removed);
  const response = await world.send(removed, { path, method: "DELETE" });
  assertResponse(findOperation("removeDevice"), response);
  const message = { type: "track", userId: "u1", event: "seen", messageId: "m1" };
  const batch = { batch: [message] };
  assertResponse(
    findOperation("trackSegment"),
    await world.send(message, { path: "/track/v1/track" }),
  );
  assertResponse(
    findOperation("trackSegment"),
    await world.send(batch, { path: "/track/v1/batch" }),
  );
  for (const key of [world.key, "pk_x"]) {
    const settings = { method: "GET", path: `/track/v1/projects/${key}/settings` };
    assertResponse(findOperation("getSegmentSettings"), await world.send(undefined, settings));
  }
});

Deno.test("inbound responses match the OpenAPI document", async () => {
  await using world = await createInboundWorld();
  const source = await world.createSource({ mapping: { name: "/type", external_id: ["/user"] } });
  const operation = findOperation("receiveWebhook");
  const good = await world.deliver({ source, body: '{"type":"order_created","user":"u1"}' });
  assert.equal(good.status, 200);
  assertResponse(operation, good);
  const bad = await world.post(`/inbound/${source.id}`, { body: "{}" });
  assert.equal(bad.status, 401);
  assertResponse(operation, bad);
  assertResponse(operation, await world.post(`/inbound/${crypto.randomUUID()}`, { body: "{}" }));
});

Deno.test("GET /api/openapi.json returns the document to anyone", async () => {
  await using world = await createApiWorld();
  const response = await world.send({ path: "/openapi.json" });
  assert.equal(response.status, 200);
  assert.equal(response.body.openapi, "3.1.0");
  assert.equal(response.body.servers[0].url, "http://auth.example/functions/v1");
});
