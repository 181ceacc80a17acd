import assert from "node:assert/strict";
import { createTrackWorld, type TrackWorld } from "../../testing/service/app.ts";

interface StoredEvent {
  id: string;
  kind: string;
  external_id: string | null;
  anon_id: string | null;
  name: string | null;
  occurred_at: Date;
  received_at: Date;
  properties: unknown;
  context: unknown;
}

async function findEvents(world: TrackWorld): Promise<StoredEvent[]> {
  return await world.db.sql<StoredEvent[]>`
    select id, kind, external_id, anon_id, name, occurred_at, received_at, properties, context
    from public.events where workspace_id = ${world.workspaceId} order by id
  `;
}

async function findCustomer(world: TrackWorld, id: string) {
  const rows = await world.db.sql`
    select document from private.customer_documents(${world.workspaceId}, array[${id}::uuid])
  `;
  return rows[0]?.document;
}

async function countCustomers(world: TrackWorld): Promise<number> {
  const rows = await world.db.sql<{ count: number }[]>`
    select count(*)::integer as count from public.customers
  `;
  return rows[0]!.count;
}

Deno.test("track stores an event as sent and returns its ids", async () => {
  await using world = await createTrackWorld();
  const response = await world.send({
    external_id: "user-1",
    anon_id: "anon-1",
    name: "order_created",
    occurred_at: "2026-01-02T03:04:05.678+02:00",
    properties: { total: 12.5, items: [{ sku: "a" }], __proto_: null },
    context: { ip: "203.0.113.7", ua: "Mozilla/5.0", page: { path: "/" } },
  });
  assert.equal(response.status, 200);
  const [event] = await findEvents(world);
  const { received_at, ...stored } = event!;
  assert.deepEqual(response.body, {
    ok: true,
    event_id: stored.id,
    customer_id: response.body.customer_id,
  });
  assert(await findCustomer(world, response.body.customer_id));
  assert(Math.abs(received_at.getTime() - Date.now()) < 60_000);
  assert.deepEqual(stored, {
    id: stored.id,
    kind: "event",
    external_id: "user-1",
    anon_id: "anon-1",
    name: "order_created",
    occurred_at: new Date("2026-01-02T01:04:05.678Z"),
    properties: { total: 12.5, items: [{ sku: "a" }], __proto_: null },
    context: { ip: "203.0.113.7", ua: "Mozilla/5.0", page: { path: "/" } },
  });
});

Deno.test("track defaults to the time of receipt and to empty objects", async () => {
  await using world = await createTrackWorld();
  await world.send({ anon_id: "anon-1", name: "viewed" });
  const [event] = await findEvents(world);
  assert.deepEqual(event!.occurred_at, event!.received_at);
  assert.deepEqual([event!.properties, event!.context], [{}, {}]);
});

Deno.test("track attaches an event with both ids to the external one and merges nothing", async () => {
  await using world = await createTrackWorld();
  const anonymous = await world.send({ anon_id: "anon-1", name: "viewed" });
  const both = await world.send({ external_id: "user-1", anon_id: "anon-1", name: "viewed" });
  const known = await world.send({ external_id: "user-1", name: "viewed" });
  assert.equal(both.body.customer_id, known.body.customer_id);
  assert.notEqual(both.body.customer_id, anonymous.body.customer_id);
  assert.equal(await countCustomers(world), 2);
});

Deno.test("track does not treat an anon_id beside an external_id as a claim, known or not", async () => {
  await using world = await createTrackWorld();
  const event = { external_id: "user-1", anon_id: "anon-1", name: "viewed" };
  const first = await world.send(event);
  const anonymous = await world.send({ anon_id: "anon-1", name: "viewed" });
  assert.notEqual(anonymous.body.customer_id, first.body.customer_id);
  assert.equal((await world.send(event)).body.customer_id, first.body.customer_id);
  assert.equal(await countCustomers(world), 2);
});

Deno.test("track records when a customer was last seen, to the minute", async () => {
  await using world = await createTrackWorld();
  const event = { external_id: "user-1", name: "viewed" };
  const { body } = await world.send(event);
  await world.db.sql`update public.customers set last_seen_at = now() - interval '1 day'`;
  await world.send(event);
  const { last_seen_at } = await findCustomer(world, body.customer_id);
  assert(Date.now() - Date.parse(last_seen_at) < 60_000, last_seen_at);
});

Deno.test("track does not take a report about an email for activity of the customer", async () => {
  await using world = await createTrackWorld();
  const event = { external_id: "user-1", name: "viewed" };
  const { body } = await world.send(event);
  await world.db.sql`update public.customers set last_seen_at = now() - interval '1 day'`;
  const age = async () => {
    const { last_seen_at } = await findCustomer(world, body.customer_id);
    return Date.now() - Date.parse(last_seen_at);
  };
  for (const what of ["sent", "failed", "delivered", "bounced", "complained"]) {
    await world.send({ ...event, name: `email_${what}`, properties: { email: "a@example.com" } });
    assert(await age() > 80_000_000, what);
  }
  await world.send({ ...event, name: "email_opened" });
  assert(await age() < 60_000);
});

Deno.test("track merges identify calls: omitted fields stay, null clears, attributes merge by key", async () => {
  await using world = await createTrackWorld();
  const identify = { type: "identify", external_id: "user-1" };
  await world.send({
    ...identify,
    email: "a@example.com",
    phone: "+1 (415) 555-0123",
    first_name: "Ann",
    country: "de",
    attributes: { plan: "free", seats: 1, old: true },
  });
  const response = await world.send({
    ...identify,
    first_name: null,
    last_name: "Lee",
    attributes: { plan: "pro", old: null },
  });
  assert.equal(response.status, 200);
  const customer = await findCustomer(world, response.body.customer_id);
  const { email, phone, first_name, last_name, country, attributes } = customer;
  assert.deepEqual({ email, phone, first_name, last_name, country, attributes }, {
    email: "a@example.com",
    phone: "+14155550123",
    first_name: null,
    last_name: "Lee",
    country: "DE",
    attributes: { plan: "pro", seats: 1 },
  });
  assert.deepEqual((await findEvents(world)).map((event) => event.kind), ["identify", "identify"]);
});

Deno.test("an identify with null attributes clears them all, and the timeline shows it", async () => {
  await using world = await createTrackWorld();
  const identify = { type: "identify", external_id: "user-1" };
  await world.send({ ...identify, email: "a@example.com", attributes: { plan: "pro", seats: 1 } });
  const response = await world.send({ ...identify, attributes: null });
  assert.equal(response.status, 200);
  const { email, attributes } = await findCustomer(world, response.body.customer_id);
  assert.deepEqual([email, attributes], ["a@example.com", {}]);
  const events = await findEvents(world);
  assert.deepEqual(events.at(-1)?.properties, { attributes: null });
});

Deno.test("track moves an anonymous customer's events to the one identified with its anon_id", async () => {
  await using world = await createTrackWorld();
  const before = await world.send({ anon_id: "anon-1", name: "viewed" });
  const identified = await world.send({
    type: "identify",
    external_id: "user-1",
    anon_id: "anon-1",
  });
  const after = await world.send({ anon_id: "anon-1", name: "viewed" });
  assert.equal(after.body.customer_id, identified.body.customer_id);
  assert.equal(await countCustomers(world), 1);
  if (before.body.customer_id !== identified.body.customer_id) {
    assert.equal(await findCustomer(world, before.body.customer_id), undefined);
  }
});

Deno.test("track returns merged false if the anon_id belongs to another customer", async () => {
  await using world = await createTrackWorld();
  await world.send({ type: "identify", external_id: "user-1", anon_id: "anon-1" });
  const response = await world.send({ type: "identify", external_id: "user-2", anon_id: "anon-1" });
  const { ok, merged, reason } = response.body;
  assert.deepEqual({ ok, merged, reason }, {
    ok: true,
    merged: false,
    reason: "anon_id_belongs_to_another_customer",
  });
});

Deno.test("track merges two known ids by alias permanently", async () => {
  await using world = await createTrackWorld();
  const survivor = await world.send({ external_id: "user-1", name: "viewed" });
  await world.send({ external_id: "user-2", name: "viewed" });
  const alias = { type: "alias", external_id: "user-1", previous_id: "user-2" };
  const response = await world.send(alias);
  assert.equal(response.body.customer_id, survivor.body.customer_id);
  const later = await world.send({ external_id: "user-2", name: "viewed" });
  assert.equal(later.body.customer_id, survivor.body.customer_id);
  assert.equal((await world.send(alias)).status, 200);
  assert.equal((await world.send({ ...alias, previous_id: "user-1" })).status, 200);
  assert.equal(await countCustomers(world), 1);
});

Deno.test("track returns 404 with the id for an alias of an unknown id and changes nothing", async () => {
  await using world = await createTrackWorld();
  await world.send({ external_id: "user-1", name: "viewed" });
  const ids = [["user-1", "stranger"], ["stranger", "user-1"], ["stranger", "stranger"]];
  for (const [external_id, previous_id] of ids) {
    const response = await world.send({ type: "alias", external_id, previous_id });
    assert.equal(response.status, 404);
    assert.equal(response.body.code, "not_found");
    assert.match(response.body.error, /"stranger"/);
  }
  assert.equal((await findEvents(world)).length, 1);
  assert.equal(await countCustomers(world), 1);
});
