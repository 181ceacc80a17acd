import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { createDispatchWorld } from "../../testing/service/dispatch_world.ts";
import type { ReceivedRequest } from "../../testing/receivers/receiver.ts";
import { failTimes } from "../../testing/receivers/receiver_behaviours.ts";

function headersOf(request: ReceivedRequest): Record<string, string> {
  return Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
}

Deno.test("dispatch sends headers, body and both signatures exactly as specified", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive();
  const { secret } = await world.addDestination({
    url: `http://127.0.0.1:${receiver.port}/hook?a=1`,
  });
  const [messageId] = await world.publish("order_created", { total: 1.1, name: "Zoë", a: [] });

  await world.dispatch();

  const [request] = receiver.requests;
  assert(request);
  const headers = headersOf(request);
  assert.equal(request.method, "POST");
  assert.equal(request.path, "/hook?a=1");
  assert.equal(
    new TextDecoder().decode(request.body),
    `{"event_type":"order_created","workspace_id":"${world.workspaceId}",` +
      `"payload":{"a": [], "name": "Zoë", "total": 1.1},` +
      `"sent_at":"${world.clock.now.toISOString()}"}`,
  );
  assert.equal(headers["content-type"], "application/json");
  assert.equal(headers["x-service-event"], "order_created");
  assert.equal(headers["webhook-id"], messageId);
  const expected = createHmac("sha256", secret).update(request.body).digest("hex");
  assert.equal(headers["x-service-signature"], expected);
  assert.doesNotThrow(() =>
    new Webhook(secret).verify(new TextDecoder().decode(request.body), headers)
  );
});

Deno.test("dispatch sends the same bytes and id on first attempt, retry and replay", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive({ behaviour: failTimes(1, 500) });
  await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await world.publish("order_created", { total: 1.10 });

  await world.dispatch();
  world.clock.advance(5_000);
  await world.dispatch();
  const [, second] = await world.deliveries();
  world.clock.advance(60_000);
  await world.sql`select ops.replay_delivery(${second!.id}, ${world.clock.now})`;
  await world.dispatch();

  const bodies = receiver.requests.map(({ body }) => new TextDecoder().decode(body));
  const ids = receiver.requests.map((request) => headersOf(request)["webhook-id"]);
  assert.equal(bodies.length, 3);
  assert.equal(new Set(bodies).size, 1);
  assert.equal(new Set(ids).size, 1);
  const log = await world.deliveries();
  assert.deepEqual(
    log.map(({ attempt_number, trigger, ok, status_code }) => [
      attempt_number,
      trigger,
      ok,
      status_code,
    ]),
    [[1, "event", false, 500], [2, "retry", true, 200], [3, "replay", true, 200]],
  );
});
