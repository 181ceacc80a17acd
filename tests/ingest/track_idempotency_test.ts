import assert from "node:assert/strict";
import { createTrackWorld, type TrackWorld } from "../../testing/service/app.ts";
import { createApiKey, createWorkspace } from "../../testing/data/factories.ts";

const event = { external_id: "user-1", name: "order_created", idempotency_key: "key-1" };

async function countEvents(world: TrackWorld): Promise<number> {
  const rows = await world.db.sql<{ count: number }[]>`
    select count(*)::integer as count from public.events
  `;
  return rows[0]!.count;
}

/** Asserts that all responses carry the same ids and that exactly one is not a duplicate. */
function assertOneStored(
  results: { ok: boolean; event_id: string; customer_id: string; duplicate?: boolean }[],
): void {
  assert(results.every(({ ok }) => ok));
  assert.equal(new Set(results.map(({ event_id }) => event_id)).size, 1);
  assert.equal(new Set(results.map(({ customer_id }) => customer_id)).size, 1);
  assert.equal(results.filter(({ duplicate }) => duplicate !== true).length, 1);
}

Deno.test("track returns the first ids for a repeated idempotency_key and stores nothing", async () => {
  await using world = await createTrackWorld();
  const first = await world.send(event);
  assert.equal(first.body.duplicate, undefined);
  const second = await world.send({ ...event, external_id: "user-2", name: "other" });
  assert.deepEqual(second.body, { ...first.body, duplicate: true });
  const third = await world.send({ events: [event] });
  assert.equal(third.body.results[0].event_id, first.body.event_id);
  assert.deepEqual([third.body.ok, third.body.accepted, third.body.duplicates], [true, 0, 1]);
  assert.equal(await countEvents(world), 1);
});

Deno.test("track applies an idempotency_key to identify and alias too", async () => {
  await using world = await createTrackWorld();
  await world.send({ external_id: "user-1", name: "viewed" });
  await world.send({ external_id: "user-2", name: "viewed" });
  const calls = [
    { type: "identify", external_id: "user-1", first_name: "Ann", idempotency_key: "i" },
    { type: "alias", external_id: "user-1", previous_id: "user-2", idempotency_key: "a" },
  ];
  for (const call of calls) {
    const first = await world.send(call);
    const second = await world.send({
      ...call,
      ...(call.type === "identify" && { first_name: "B" }),
    });
    assert.deepEqual(second.body, { ...first.body, duplicate: true });
  }
  assert.equal(await countEvents(world), 4);
});

Deno.test("track does not store the idempotency_key of a rejected alias", async () => {
  await using world = await createTrackWorld();
  const alias = {
    type: "alias",
    external_id: "user-1",
    previous_id: "user-2",
    idempotency_key: "key-1",
  };
  assert.equal((await world.send(alias)).status, 404);
  const first = await world.send(event);
  assert.equal(first.body.duplicate, undefined);
  assert.deepEqual((await world.send(alias)).body, { ...first.body, duplicate: true });
});

Deno.test("track frees the key of a rejected alias for the next entry of the same bulk", async () => {
  await using world = await createTrackWorld();
  const unknown = { type: "alias", external_id: "user-1", previous_id: "user-9" };
  const { body } = await world.send({
    events: [
      { external_id: "user-1", name: "viewed" },
      { ...unknown, idempotency_key: "a" },
      { ...unknown, idempotency_key: "b" },
      { ...unknown, idempotency_key: "a" },
      { external_id: "user-2", name: "viewed", idempotency_key: "a" },
      { ...unknown, previous_id: "user-2", idempotency_key: "b" },
      { external_id: "user-3", name: "viewed", idempotency_key: "a" },
      { external_id: "user-4", name: "viewed", idempotency_key: "b" },
    ],
  });
  const told = body.results.map((result: { code?: string; duplicate?: true }) => {
    return result.code ?? result.duplicate ?? "stored";
  });
  const [refused, repeated] = ["not_found", true];
  assert.deepEqual(told, [
    "stored",
    refused,
    refused,
    refused,
    "stored",
    "stored",
    repeated,
    repeated,
  ]);
  assert.deepEqual([body.accepted, body.duplicates, body.rejected], [3, 2, 3]);
  assert.equal(body.results[6].event_id, body.results[4].event_id);
  assert.equal(body.results[7].event_id, body.results[5].event_id);
  assert.equal(await countEvents(world), 3);
});

Deno.test("track honours an idempotency_key for 24 hours from its first use", async () => {
  await using world = await createTrackWorld();
  const age = (interval: string) => {
    return world.db.sql`
      update private.idempotency_keys set created_at = now() - ${interval}::interval`;
  };
  const first = await world.send(event);
  await age("23 hours 59 minutes");
  assert.deepEqual((await world.send(event)).body, { ...first.body, duplicate: true });
  await age("24 hours 1 second");
  const second = await world.send(event);
  assert.equal(second.body.duplicate, undefined);
  assert.notEqual(second.body.event_id, first.body.event_id);
  assert.deepEqual((await world.send(event)).body, { ...second.body, duplicate: true });
  assert.equal(await countEvents(world), 2);
});

Deno.test("track separates idempotency keys by workspace", async () => {
  await using world = await createTrackWorld();
  const workspaceId = await createWorkspace(world.db.sql);
  const key = await createApiKey(world.db.sql, { workspaceId });
  const other = world.startInstance({ key });
  const responses = [await world.send(event), await other.send(event)];
  assert.deepEqual(responses.map(({ body }) => body.duplicate), [undefined, undefined]);
  assert.notEqual(responses[0]!.body.event_id, responses[1]!.body.event_id);
});

Deno.test("track stores one event of 50 concurrent calls with one key, on three instances", async () => {
  await using world = await createTrackWorld();
  const instances = [world, world.startInstance(), world.startInstance()];
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) => instances[i % 3]!.send(event)),
  );
  for (const { status, body } of responses) assert.equal(status, 200, JSON.stringify(body));
  assertOneStored(responses.map(({ body }) => body));
  assert.equal(await countEvents(world), 1);
});

Deno.test("track stores one event of 50 concurrent calls and bulks with one key", async () => {
  await using world = await createTrackWorld();
  const instances = [world, world.startInstance(), world.startInstance()];
  const others = [{ external_id: "user-3", name: "viewed" }, { anon_id: "anon-1", name: "viewed" }];
  const bulk = { events: [others[0], event, others[1], event] };
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) => instances[i % 3]!.send(i % 2 === 0 ? event : bulk)),
  );
  for (const { status, body } of responses) assert.equal(status, 200, JSON.stringify(body));
  const results = responses.flatMap(({ body }) => {
    return body.results === undefined ? [body] : [body.results[1], body.results[3]];
  });
  assert.equal(results.length, 75);
  assertOneStored(results);
  assert.equal(await countEvents(world), 1 + 25 * 2);
});
