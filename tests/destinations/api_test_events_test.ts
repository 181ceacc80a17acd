import assert from "node:assert/strict";
import { maxPayloadBytes } from "../../supabase/functions/api/contract/destinations.ts";
import { eraseCustomers, ingestFor } from "../../testing/data/erasures.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { createDispatchWorld, type DispatchWorld } from "../../testing/service/dispatch_world.ts";

interface TestsWorld extends AsyncDisposable {
  dispatch: DispatchWorld;
  api: ApiWorld;
  /** May read and write destinations. */
  token: string;
}

/** One workspace with a dispatcher and the api. */
async function createTestsWorld(): Promise<TestsWorld> {
  await using stack = new AsyncDisposableStack();
  const dispatch = stack.use(await createDispatchWorld());
  const { db, workspaceId } = dispatch;
  const api = stack.use(await createApiWorld({ db, now: () => dispatch.clock.now }));
  const scopes = ["destinations:read", "destinations:write"] as const;
  const token = await api.createKey(scopes, workspaceId);
  const kept = stack.move();
  return { dispatch, api, token, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** A destination that wants nothing, and the receiver behind it. */
async function addReceiver({ dispatch }: TestsWorld, { status = 200, enabled = true } = {}) {
  const receiver = await dispatch.receive({ behaviour: respond(status) });
  const url = `http://127.0.0.1:${receiver.port}/`;
  const { id } = await dispatch.addDestination({ url, enabled, eventTypes: ["never"] });
  return { id, receiver };
}

async function test({ api, token }: TestsWorld, id: string, body?: unknown) {
  return await api.send({ method: "POST", path: `/destinations/${id}/test`, token, body });
}

/** Sends a test that is accepted, and everything that is due; returns the message's id. */
async function sendTest(world: TestsWorld, id: string, body?: unknown): Promise<string> {
  const response = await test(world, id, body);
  assert.equal(response.status, 202, JSON.stringify(response.body));
  assert.deepEqual(Object.keys(response.body), ["message_id"]);
  // The message is due by the clock of the database.
  world.dispatch.clock.now = new Date(Math.max(Date.now(), +world.dispatch.clock.now) + 1_000);
  await world.dispatch.dispatch();
  return response.body.message_id;
}

function readBodies(requests: readonly { body: Uint8Array }[]) {
  return requests.map(({ body }) => JSON.parse(new TextDecoder().decode(body)));
}

async function readHealth({ api, token }: TestsWorld, id: string) {
  return (await api.send({ path: `/destinations/${id}`, token })).body.health;
}

Deno.test("a test event has the given type and payload, and reaches its destination alone", async () => {
  await using world = await createTestsWorld();
  const { id, receiver } = await addReceiver(world);
  const other = await world.dispatch.receive();
  await world.dispatch.addDestination({ url: `http://127.0.0.1:${other.port}/` });
  const payload = { name: "order_created", properties: { total: 12.5, text: "é" } };
  for (const event_type of ["order_created", "customer.updated", "destination.failing"]) {
    await sendTest(world, id, { event_type, payload });
  }
  assert.equal(receiver.requests.length, 3);
  const bodies = readBodies(receiver.requests);
  assert.deepEqual(bodies.map((body) => [body.event_type, body.payload]), [
    ["order_created", payload],
    ["customer.updated", payload],
    ["destination.failing", payload],
  ]);
  assert.equal(other.requests.length, 0);
  const rows = await world.dispatch.deliveries();
  assert.deepEqual(rows.map(({ trigger, ok }) => [trigger, ok]), Array(3).fill(["test", true]));
});

Deno.test("a test event keeps every key of its payload, also __proto__", async () => {
  await using world = await createTestsWorld();
  const { id, receiver } = await addReceiver(world);
  const payload = JSON.parse('{ "a": 1, "__proto__": { "b": 2 }, "c": { "__proto__": 3 } }');
  await sendTest(world, id, { event_type: "order_created", payload });
  assert.deepEqual(readBodies(receiver.requests)[0].payload, payload);
});

Deno.test("without a body, with an empty one, and with the type ping, a test is a ping", async () => {
  await using world = await createTestsWorld();
  const { id, receiver } = await addReceiver(world);
  for (const body of [undefined, {}, { event_type: "ping" }]) await sendTest(world, id, body);
  for (const { event_type, payload } of readBodies(receiver.requests)) {
    assert.deepEqual([event_type, payload.destination_id], ["ping", id]);
  }
  assert.equal(receiver.requests.length, 3);
});

Deno.test("a type without a payload sends the newest event of that name, as its message was", async () => {
  await using world = await createTestsWorld();
  const { sql, workspaceId } = world.dispatch;
  const { id, receiver } = await addReceiver(world);
  const subscribed = await world.dispatch.receive();
  await world.dispatch.addDestination({ url: `http://127.0.0.1:${subscribed.port}/` });
  const missing = await test(world, id, { event_type: "order_created" });
  assert.equal(missing.status, 404);
  assert.match(missing.body.error, /event_type "order_created"/);

  for (const total of [1, 2.5]) {
    await ingestEntries(sql, [{
      workspace_id: workspaceId,
      kind: "event",
      name: "order_created",
      external_id: "ada",
      properties: { total, nested: { list: [1, null] } },
      context: { ip: "192.0.2.1" },
    }]);
  }
  await sendTest(world, id, { event_type: "order_created" });

  const original = readBodies(subscribed.requests)
    .find(({ payload }) => payload.properties?.total === 2.5);
  const [copy] = readBodies(receiver.requests);
  assert.deepEqual(copy.payload, original.payload);
  assert.equal(copy.event_type, "order_created");
  assert.equal((await test(world, id, { event_type: "Order_created" })).status, 404);
});

Deno.test("a disabled destination gets a test event, and a failed one is not retried", async () => {
  await using world = await createTestsWorld();
  const { id, receiver } = await addReceiver(world, { status: 500, enabled: false });
  const before = await readHealth(world, id);
  await sendTest(world, id, { event_type: "order_created", payload: {} });
  world.dispatch.clock.advance(24 * 3_600_000);
  await world.dispatch.dispatch();
  assert.equal(receiver.requests.length, 1);
  const [row] = await world.dispatch.deliveries();
  assert.deepEqual([row!.trigger, row!.ok, row!.next_attempt_at], ["test", false, null]);
  assert.deepEqual(await readHealth(world, id), before);
  const missed = await world.dispatch.sql`select from public.missed_messages`;
  assert.equal(missed.length, 0);
});

Deno.test("a test event of which the response is 410 does not disable the destination", async () => {
  await using world = await createTestsWorld();
  const { id, receiver } = await addReceiver(world, { status: 410 });
  const before = await readHealth(world, id);
  await sendTest(world, id, { event_type: "order_created", payload: {} });
  assert.equal(receiver.requests.length, 1);
  assert.deepEqual(await readHealth(world, id), before);
});

Deno.test("a payload about an alert may have any values", async () => {
  await using world = await createTestsWorld();
  const { id, receiver } = await addReceiver(world);
  for (const alert of [{ message: "It broke", is_test: "perhaps" }, { message: 1 }, "none"]) {
    await sendTest(world, id, { event_type: "alert.opened", payload: { alert } });
  }
  assert.equal(receiver.requests.length, 3);
  assert.match(readBodies(receiver.requests)[0].text, /It broke/);
});

Deno.test("the type and the payload of a test event have limits", async (t) => {
  await using world = await createTestsWorld();
  const { id } = await addReceiver(world);
  const ofBytes = (bytes: number) => ({ text: "x".repeat(bytes - '{"text":""}'.length) });
  const nest = (levels: number) => {
    let value: unknown = {};
    for (let level = 1; level < levels; level++) value = { value };
    return value;
  };
  const accepted: [string, unknown][] = [
    ["200 characters", { event_type: "é".repeat(200), payload: {} }],
    ["32 KiB", { event_type: "a", payload: ofBytes(maxPayloadBytes) }],
    ["10 levels in the payload", { event_type: "a", payload: nest(11) }],
  ];
  for (const [title, body] of accepted) {
    await t.step(title, async () => assert.equal((await test(world, id, body)).status, 202));
  }
  const refused: [string, unknown, string][] = [
    ["no characters", { event_type: "", payload: {} }, "event_type"],
    ["201 characters", { event_type: "x".repeat(201), payload: {} }, "event_type"],
    ["a payload without a type", { payload: {} }, "event_type"],
    ["a ping with a payload", { event_type: "ping", payload: {} }, "event_type"],
    ["U+0000 in the type", { event_type: "a\0", payload: {} }, "event_type"],
    ["over 32 KiB", { event_type: "a", payload: ofBytes(maxPayloadBytes + 1) }, "payload"],
    ["over 32 KiB in UTF-8", { event_type: "a", payload: { a: "é".repeat(17_000) } }, "payload"],
    ["11 levels in the payload", { event_type: "a", payload: nest(12) }, "payload"],
    ["U+0000 in the payload", { event_type: "a", payload: { a: "\0" } }, "payload.a"],
    ["an array", { event_type: "a", payload: [] }, "payload"],
    ["null", { event_type: "a", payload: null }, "payload"],
    ["an unknown field", { event_type: "a", payload: {}, headers: {} }, "headers"],
  ];
  for (const [title, body, field] of refused) {
    await t.step(title, async () => {
      const response = await test(world, id, body);
      assert.equal(response.status, 400, JSON.stringify(response.body));
      const [detail] = response.body.details;
      assert(detail.field.startsWith(field), JSON.stringify(response.body));
    });
  }
});

Deno.test("a viewer and a key that may only read cannot send a test event", async () => {
  await using world = await createTestsWorld();
  const { api, dispatch: { workspaceId, sql } } = world;
  const { id } = await addReceiver(world);
  const body = { event_type: "order_created", payload: {} };
  const viewer = await api.signInAs("viewer", workspaceId);
  const reader = await api.createKey(["destinations:read"], workspaceId);
  for (const token of [viewer, reader]) {
    const path = `/destinations/${id}/test`;
    const response = await api.send({ method: "POST", path, token, workspaceId, body });
    assert.equal(response.status, 403);
  }
  assert.equal((await sql`select from public.webhook_messages`).length, 0);
  assert.equal((await test(world, crypto.randomUUID(), body)).status, 404);
});

Deno.test("a test event is erased with the customer that its payload names", async () => {
  await using world = await createTestsWorld();
  const { sql, workspaceId } = world.dispatch;
  const { id } = await addReceiver(world);
  const [ada, eve] = await ingestFor(sql, workspaceId, [
    { kind: "event", name: "order_created", external_id: "ada" },
    { kind: "event", name: "order_created", external_id: "eve" },
  ]);
  const customer_id = ada!;
  const event_type = "order_created";
  const erased = [
    await sendTest(world, id, { event_type, payload: { customer_id } }),
    await sendTest(world, id, { event_type, payload: { customer_id: customer_id.toUpperCase() } }),
    await sendTest(world, id, { event_type, payload: { customer: { id: customer_id } } }),
  ];
  const kept = [
    await sendTest(world, id, { event_type, payload: { customer_id: eve } }),
    await sendTest(world, id, { event_type, payload: { customer_id: "ada" } }),
  ];
  await eraseCustomers(sql, workspaceId, [customer_id]);
  const readBody = async (ids: string[]) =>
    (await sql`select m.body from public.webhook_messages as m where m.id in ${sql(ids)}`)
      .map(({ body }) => body !== null);
  assert.deepEqual(await readBody(erased), [false, false, false]);
  assert.deepEqual(await readBody(kept), [true, true]);
  // The newest event of an erased customer is never sent again.
  await eraseCustomers(sql, workspaceId, [eve!]);
  assert.equal((await test(world, id, { event_type })).status, 404);
});
