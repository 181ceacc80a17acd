import assert from "node:assert/strict";
import { createTrackWorld, type TrackWorld } from "../support/app.ts";
import { createApiKey, createWorkspace } from "../support/factories.ts";

const event = { external_id: "user-1", name: "order_created", idempotency_key: "key-1" };

async function countEvents(world: TrackWorld): Promise<number> {
  const rows = await world.db.sql<{ count: number }[]>`
    select count(*)::integer as count from public.events
  `;
  return rows[0]!.count;
}

/** Asserts that all answers carry the same ids and that exactly one is no duplicate. */
function assertOneStored(
  results: { ok: boolean; event_id: string; customer_id: string; duplicate?: boolean }[],
): void {
  assert(results.every(({ ok }) => ok));
  assert.equal(new Set(results.map(({ event_id }) => event_id)).size, 1);
  assert.equal(new Set(results.map(({ customer_id }) => customer_id)).size, 1);
  assert.equal(results.filter(({ duplicate }) => duplicate !== true).length, 1);
}

Deno.test("track answers a repeated idempotency_key with the first ids and stores nothing", async () => {
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

Deno.test("track counts an idempotency_key for identify and alias too", async () => {
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

Deno.test("track counts an idempotency_key for each workspace apart", async () => {
  await using world = await createTrackWorld();
  const workspaceId = await createWorkspace(world.db.sql);
  const key = await createApiKey(world.db.sql, { workspaceId });
  const other = world.startInstance({ key });
  const answers = [await world.send(event), await other.send(event)];
  assert.deepEqual(answers.map(({ body }) => body.duplicate), [undefined, undefined]);
  assert.notEqual(answers[0]!.body.event_id, answers[1]!.body.event_id);
});

Deno.test("track stores one event of 50 concurrent calls with one key, on three instances", async () => {
  await using world = await createTrackWorld();
  const instances = [world, world.startInstance(), world.startInstance()];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => instances[i % 3]!.send(event)),
  );
  for (const { status, body } of answers) assert.equal(status, 200, JSON.stringify(body));
  assertOneStored(answers.map(({ body }) => body));
  assert.equal(await countEvents(world), 1);
});

Deno.test("track stores one event of 50 concurrent calls and bulks with one key", async () => {
  await using world = await createTrackWorld();
  const instances = [world, world.startInstance(), world.startInstance()];
  const others = [{ external_id: "user-3", name: "viewed" }, { anon_id: "anon-1", name: "viewed" }];
  const bulk = { events: [others[0], event, others[1], event] };
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => instances[i % 3]!.send(i % 2 === 0 ? event : bulk)),
  );
  for (const { status, body } of answers) assert.equal(status, 200, JSON.stringify(body));
  const results = answers.flatMap(({ body }) => {
    return body.results === undefined ? [body] : [body.results[1], body.results[3]];
  });
  assert.equal(results.length, 75);
  assertOneStored(results);
  assert.equal(await countEvents(world), 1 + 25 * 2);
});
