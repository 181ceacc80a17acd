import assert from "node:assert/strict";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { createDispatchApp } from "../../supabase/functions/webhook-dispatch/app.ts";
import { createDispatchWorld } from "../../testing/service/dispatch_world.ts";
import { assertResponse, findOperation } from "../../testing/service/openapi.ts";

const key = "sb_secret_dispatch";

async function createAppWorld() {
  const world = await createDispatchWorld();
  const background: Promise<void>[] = [];
  const app = createDispatchApp({
    sql: world.sql,
    dispatcher: world.makeDispatcher({ lingerMs: 0, horizonMs: 0 }),
    dispatchKey: key,
    waitUntil: (work) => void background.push(work),
    log: createLog({ name: "webhook-dispatch", write: () => {} }),
  });
  const post = (headers: Record<string, string> = {}) =>
    app.request("/webhook-dispatch", { method: "POST", headers });
  return {
    world,
    app,
    post,
    background,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

Deno.test("webhook-dispatch returns 202 immediately and sends in the background", async () => {
  await using test = await createAppWorld();
  const receiver = await test.world.receive();
  await test.world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await test.world.publish("order_created", {});

  const response = await test.post({ apikey: key });

  assert.equal(response.status, 202);
  assert.deepEqual(await response.json(), { ok: true });
  assert.equal(receiver.requests.length, 0);
  await Promise.all(test.background);
  assert.equal(receiver.requests.length, 1);
});

Deno.test("webhook-dispatch refuses callers without the dispatch key", async () => {
  await using test = await createAppWorld();
  const credentials: Record<string, string>[] = [
    {},
    { apikey: "" },
    { apikey: key.slice(0, -1) },
    { apikey: `${key}x` },
    { authorization: `Bearer ${key}` },
  ];
  for (const headers of credentials) {
    const response = await test.post(headers);
    assert.equal(response.status, 401);
    assert.equal((await response.json()).code, "unauthorized");
  }
  assert.deepEqual(test.background, []);
});

Deno.test("webhook-dispatch responses match the OpenAPI document", async () => {
  await using test = await createAppWorld();
  const operation = findOperation("wakeDispatcher");
  for (const headers of [{ apikey: key }, { apikey: "wrong" }]) {
    const response = await test.post(headers);
    const { status } = response;
    assertResponse(operation, { status, headers: response.headers, body: await response.json() });
  }
  await Promise.all(test.background);
});

Deno.test("webhook-dispatch accepts only POST", async () => {
  await using test = await createAppWorld();

  const response = await test.app.request("/webhook-dispatch", { headers: { apikey: key } });

  assert.equal(response.status, 405);
  assert.equal(response.headers.get("allow"), "POST");
});

Deno.test("calls during a run join it", async () => {
  await using test = await createAppWorld();
  const receiver = await test.world.receive();
  await test.world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await test.world.publish("order_created", ...Array.from({ length: 30 }, (_, n) => ({ n })));

  await Promise.all(Array.from({ length: 5 }, () => test.post({ apikey: key })));
  await Promise.all(test.background);

  assert.equal(receiver.requests.length, 30);
  assert.equal((await test.world.deliveries()).length, 30);
});
