import assert from "node:assert/strict";
import { createTrackWorld } from "../../testing/service/app.ts";

const event = { external_id: "user-1", name: "viewed" };

async function countEvents(world: Awaited<ReturnType<typeof createTrackWorld>>): Promise<number> {
  const rows = await world.db.sql<{ count: number }[]>`
    select count(*)::integer as count from public.events
  `;
  return rows[0]!.count;
}

Deno.test("track stores the valid entries of a bulk and returns a result for each, in order", async () => {
  await using world = await createTrackWorld();
  const { status, body } = await world.send({
    events: [
      { ...event, idempotency_key: "key-1" },
      { ...event, name: "ping" },
      { type: "identify", external_id: "user-2", email: "a@b" },
      { type: "alias", external_id: "user-1", previous_id: "user-2" },
      { type: "alias", external_id: "user-1", previous_id: "stranger" },
      { ...event, idempotency_key: "key-1" },
      null,
      { external_id: "user-2", name: "viewed", typo: 1 },
      { external_id: "user-2", name: "viewed" },
    ],
  });
  assert.equal(status, 200);
  const { results, ...summary } = body;
  assert.deepEqual(summary, { ok: false, accepted: 4, duplicates: 1, rejected: 4 });
  assert.deepEqual(results.map(({ index }: { index: number }) => index), [
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
  ]);
  const told = (index: number) => [results[index].ok, results[index].code, results[index].field];
  assert.deepEqual(told(1), [false, "invalid_input", "events[1].name"]);
  assert.deepEqual(told(4), [false, "not_found", "events[4].previous_id"]);
  assert.deepEqual(told(6), [false, "invalid_input", "events[6]"]);
  assert.deepEqual(told(7), [false, "invalid_input", "events[7].typo"]);
  assert.match(results[1].error, /events\[1\]\.name/);
  assert.equal(results[5].duplicate, true);
  assert.equal(results[5].event_id, results[0].event_id);
  assert.equal(results[8].customer_id, results[0].customer_id);
  assert.equal(await countEvents(world), 4);
});

Deno.test("track applies the entries of a bulk in their order", async () => {
  await using world = await createTrackWorld();
  const identify = { type: "identify", external_id: "user-1" };
  const { body } = await world.send({
    events: [
      ...[1, 2, 3].map((n) => ({ ...identify, attributes: { n } })),
      { ...identify, first_name: "Ann" },
      { ...identify, first_name: null },
    ],
  });
  assert(body.ok);
  const rows = await world.db.sql`select first_name, attributes from public.customers`;
  assert.deepEqual([...rows], [{ first_name: null, attributes: { n: 3 } }]);
});

Deno.test("track resolves an entry of a bulk without later entries", async () => {
  await using world = await createTrackWorld();
  await world.send({ external_id: "user-1", name: "viewed" });
  const { body } = await world.send({
    events: [
      { type: "alias", external_id: "user-1", previous_id: "user-2" },
      { external_id: "user-2", name: "viewed" },
      { type: "alias", external_id: "user-1", previous_id: "user-2" },
    ],
  });
  assert.deepEqual(body.results.map(({ ok }: { ok: boolean }) => ok), [false, true, true]);
  assert.equal(body.results[0].code, "not_found");
});

Deno.test("track accepts a bulk of 1 to 500 entries", async () => {
  await using world = await createTrackWorld();
  for (const size of [1, 499, 500]) {
    const { status, body } = await world.send({ events: Array(size).fill(event) });
    assert.equal(status, 200);
    assert.deepEqual([body.ok, body.accepted, body.results.length], [true, size, size]);
  }
  assert.equal(await countEvents(world), 1000);
});

Deno.test("track refuses an invalid envelope as a whole and stores nothing of it", async () => {
  await using world = await createTrackWorld();
  const bodies = [
    { events: [] },
    { events: Array(501).fill(event) },
    { events: event },
    { events: null },
    { events: "x" },
    { events: [event], sent_at: "x" },
    { events: [event], ...event },
    [event],
  ];
  for (const body of bodies) {
    const response = await world.send(body);
    assert.equal(response.status, 400, JSON.stringify(body).slice(0, 80));
    assert.equal(response.body.code, "invalid_input");
  }
  assert.equal(await countEvents(world), 0);
});

Deno.test("track returns 200 for a bulk without valid entries and stores nothing", async () => {
  await using world = await createTrackWorld();
  const { status, body } = await world.send({ events: [{}, 1, "x", [], { type: "page" }] });
  assert.equal(status, 200);
  assert.deepEqual([body.ok, body.accepted, body.rejected], [false, 0, 5]);
  assert.equal(await countEvents(world), 0);
});

Deno.test("track stores the valid entries of a bulk next to any invalid one", async () => {
  await using world = await createTrackWorld();
  const good = JSON.stringify(event);
  const bad = [
    '{"external_id":"u","name":"n","properties":{"a":"\\u0000"}}',
    '{"external_id":"u","name":"n","properties":{"\\ud800":1}}',
    '{"external_id":"u","name":"n","properties":{"a":9007199254740993}}',
    '{"external_id":"u","name":"n","properties":{"a":1e400}}',
    `{"external_id":"u","name":"n","properties":${"[".repeat(20)}${"]".repeat(20)}}`,
    `{"external_id":"u","name":"n","properties":{"a":"${"x".repeat(40_000)}"}}`,
    "null",
    "[[]]",
    `{"external_id":"u","name":"n","properties":{"0":1,"a":${"[".repeat(1e4)}${"]".repeat(1e4)}}}`,
  ];
  const text = `{"events":[${bad.flatMap((entry) => [entry, good]).join(",")}]}`;
  const { status, body } = await world.send(text);
  assert.equal(status, 200);
  assert.deepEqual([body.accepted, body.rejected], [bad.length, bad.length]);
  const oks = body.results.map(({ ok }: { ok: boolean }) => ok);
  assert.deepEqual(oks, bad.flatMap(() => [false, true]));
  assert.equal(body.results[0].field, "events[0].properties.a");
  assert.equal(body.results[10].code, "payload_too_large");
  assert.equal(await countEvents(world), bad.length);
});
