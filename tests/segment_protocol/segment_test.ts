import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { createTrackWorld, type TrackWorld } from "../../testing/service/app.ts";

const now = new Date("2026-11-01T12:00:00Z");
const paths = [
  "batch",
  "import",
  "batch/",
  "import/",
  "b",
  "track",
  "t",
  "identify",
  "i",
  "alias",
  "a",
  "page",
  "p",
]
  .concat(["screen", "s", "group", "g"]);

function basic(key: string): string {
  return `Basic ${btoa(`${key}:`)}`;
}

function readEvents({ db }: TrackWorld) {
  return db.sql<{ kind: string; name: string | null; at: Date; properties: unknown }[]>`
    select kind, name, occurred_at as at, properties from public.events order by received_at, id
  `;
}

function readRejected({ db }: TrackWorld) {
  return db.sql`select * from public.rejected_entries order by rejected_at, id`;
}

Deno.test("Segment's paths accept the key as Basic, as bearer, or only as writeKey", async () => {
  await using world = await createTrackWorld({ now: () => now });
  const message = { type: "track", event: "E", userId: "u1" };
  const path = "/track/v1/t";
  const responses = [
    await world.send(message, { path, headers: { authorization: basic(world.key) } }),
    await world.send(message, { path }),
    await world.send({ ...message, writeKey: world.key }, {
      path,
      headers: { authorization: undefined, "content-type": "text/plain" },
    }),
  ];
  for (const { status, body } of responses) assert.deepEqual([status, body.ok], [200, true]);
});

Deno.test("a compressed body is not read for the key: it must be in Authorization", async () => {
  await using world = await createTrackWorld({ now: () => now });
  const path = "/track/v1/batch";
  const headers = { "content-encoding": "gzip" };
  let isRead = false;
  const pull = (controller: ReadableStreamDefaultController) => {
    isRead = true;
    controller.close();
  };
  const unread = new ReadableStream({ pull }, { highWaterMark: 0 });
  const { status, body } = await world.send(unread, {
    path,
    headers: { ...headers, authorization: undefined },
  });
  assert.deepEqual([status, body.code, isRead], [401, "unauthorized", false]);
  assert.match(body.error, /Content-Encoding/);
  const batch = [{ type: "track", event: "E", userId: "u1" }];
  const zipped = gzipSync(JSON.stringify({ batch, writeKey: world.key }));
  for (const authorization of [basic(world.key), `Bearer ${world.key}`]) {
    const response = await world.send(zipped, { path, headers: { ...headers, authorization } });
    assert.deepEqual([response.status, response.body.accepted], [200, 1]);
  }
});

Deno.test("every path of Segment's requires the key", async () => {
  await using world = await createTrackWorld();
  const message = { batch: [{ type: "track", event: "E", userId: "u1" }] };
  for (const path of paths.map((each) => `/track/v1/${each}`)) {
    for (const authorization of [undefined, "Basic x", basic("pk_x"), basic(""), "Bearer pk_x"]) {
      const { status, body } = await world.send(message, { path, headers: { authorization } });
      assert.deepEqual([status, body.code], [401, "unauthorized"], path);
    }
    const wrong = await world.send(undefined, { path, method: "GET" });
    assert.equal(wrong.status, 405);
  }
  const { status } = await world.send(message, { path: "/track/v1/export" });
  assert.equal(status, 404);
});

Deno.test("a batch of every kind is stored in order with a result per entry", async () => {
  await using world = await createTrackWorld({ now: () => now });
  const batch = [
    { type: "track", event: "Signed Up", anonymousId: "a1", messageId: "m1" },
    { type: "identify", userId: "u1", anonymousId: "a1", traits: { email: "a@b.co", plan: "x" } },
    { type: "page", userId: "u1", name: "Home" },
    { type: "screen", userId: "u1", name: "Main" },
    { type: "group", userId: "u1", groupId: "g1" },
    { type: "identify", userId: "u0" },
    { type: "alias", userId: "u1", previousId: "u0" },
    { type: "track", event: "Signed Up", anonymousId: "a1", messageId: "m1" },
  ];
  const { status, body } = await world.send({ batch, sentAt: now, writeKey: world.key }, {
    path: "/track/v1/batch",
    headers: { authorization: basic(world.key) },
  });
  assert.equal(status, 200);
  assert.deepEqual([body.ok, body.accepted, body.duplicates, body.rejected], [true, 7, 1, 0]);
  const ids = body.results.map((each: { customer_id: string }) => each.customer_id);
  assert.equal(new Set(ids).size, 1);
  const events = await readEvents(world);
  assert.deepEqual(events.map(({ kind, name }) => name ?? kind), [
    "Signed Up",
    "identify",
    "page_viewed",
    "screen_viewed",
    "group_identified",
    "identify",
    "alias",
  ]);
  const customers = await world.db.sql`select email, attributes from public.customers`;
  assert.deepEqual([...customers], [{ email: "a@b.co", attributes: { plan: "x" } }]);
});

Deno.test("Segment's alias to a user id never seen adds it to the customer", async () => {
  await using world = await createTrackWorld({ now: () => now });
  const first = await world.send({ userId: "jen@example.com" }, { path: "/track/v1/identify" });
  const alias = { previousId: "jen@example.com", userId: "507f191e81" };
  const { status, body } = await world.send(alias, { path: "/track/v1/alias" });
  assert.deepEqual([status, body.customer_id], [200, first.body.customer_id]);
  const order = { userId: "507f191e81", event: "Order Completed" };
  const later = await world.send(order, { path: "/track/v1/track" });
  assert.equal(later.body.customer_id, first.body.customer_id);
  const merges = await world.db.sql`select 1 from public.customer_merges`;
  assert.equal(merges.length, 0);
});

Deno.test("Segment's alias from a server with an anonymous id is an identify", async () => {
  await using world = await createTrackWorld({ now: () => now });
  const view = { anonymousId: "39239-239239", name: "Home" };
  await world.send(view, { path: "/track/v1/page" });
  const alias = { previousId: "39239-239239", userId: "507f191e81" };
  const { body } = await world.send({ batch: [{ type: "alias", ...alias }] }, {
    path: "/track/v1/batch",
  });
  assert.deepEqual([body.accepted, body.rejected], [1, 0]);
  const later = await world.send(view, { path: "/track/v1/page" });
  assert.equal(later.body.customer_id, body.results[0].customer_id);
  const kinds = (await readEvents(world)).map(({ kind }) => kind);
  assert.deepEqual(kinds, ["event", "identify", "event"]);
  const other = { ...alias, userId: "someone-else" };
  const refused = await world.send(other, { path: "/track/v1/alias" });
  assert.deepEqual([refused.body.merged, refused.body.reason], [
    false,
    "anon_id_belongs_to_another_customer",
  ]);
});

Deno.test("POST /track accepts no alias of Segment's: both ids must be known there", async () => {
  await using world = await createTrackWorld({ now: () => now });
  await world.send({ type: "identify", external_id: "old" });
  const alias = { type: "alias", previous_id: "old", external_id: "new" };
  assert.equal((await world.send(alias)).status, 404);
  for (const more of [{ type: "segment_alias" }, { kind: "segment_alias" }]) {
    assert.equal((await world.send({ ...alias, ...more })).status, 400);
  }
});

Deno.test("errors of a message use the field names of Segment's libraries", async () => {
  await using world = await createTrackWorld({ now: () => now });
  const told = async (message: Record<string, unknown>, type = "track") => {
    const { body } = await world.send(message, { path: `/track/v1/${type}` });
    const { results } = (await world.send({ batch: [{ type, ...message }] }, {
      path: "/track/v1/batch",
    })).body;
    assert.equal(
      results[0].error.replace(/batch\[0\]\.?/, ""),
      body.error.replace("Body", 'Field ""'),
    );
    assert.equal(results[0].message, results[0].error);
    return [body.error, ...(body.details ?? []).map(({ field }: { field: string }) => field)];
  };
  const sent = { userId: "u1", event: "E" };
  assert.deepEqual(await told({ event: "E" }), ['Body must have "userId" or "anonymousId"', ""]);
  assert.deepEqual(await told({ userId: "u1" }), ['Field "event" is required', "event"]);
  assert.match((await told({ ...sent, timestamp: "x" }))[0], /^Field "timestamp" must be/);
  assert.match((await told({ ...sent, anonymousId: "null" }))[0], /^Field "anonymousId" must be/);
  assert.match((await told({ ...sent, messageId: 7 }))[0], /^Field "messageId" must be/);
  assert.match(
    (await told({ userId: "u1", traits: [] }, "identify"))[0],
    /^Field "traits" must be/,
  );
  assert.deepEqual(await told({ userId: "previous_id", previousId: "u0" }, "alias"), [
    'Cannot merge: no customer has the previousId "u0"',
  ]);
});

Deno.test("a mixed batch stores every valid message, and keeps the invalid ones without the key", async () => {
  await using world = await createTrackWorld({ now: () => now });
  const batch = [
    { type: "track", event: "Good", userId: "u1", writeKey: world.key },
    { type: "track", event: "Bad", userId: "undefined", writeKey: world.key },
    { type: "track", userId: "u1" },
    { type: "alias", userId: "u1", previousId: "never_seen" },
    "no message",
    { type: "track", event: "Nul \u0000", userId: "u1" },
    { type: "track", event: "Large", userId: "u1", properties: { x: "x".repeat(70_000) } },
    { type: "track", event: "Far", userId: "u1", timestamp: "+275760-09-13T00:00:00.000Z" },
  ];
  // An hour off, so that times are corrected.
  const sentAt = "2026-11-01T11:00:00.000Z";
  const { status, body } = await world.send({ batch, sentAt }, { path: "/track/v1/b" });
  assert.equal(status, 200);
  assert.deepEqual([body.ok, body.accepted, body.rejected], [false, 1, 7]);
  assert.deepEqual(
    body.results.slice(1).map(({ code, field }: { code: string; field: string }) => [code, field]),
    [
      ["invalid_input", "batch[1].userId"],
      ["invalid_input", "batch[2].event"],
      ["not_found", "batch[3].previousId"],
      ["invalid_input", "batch[4]"],
      ["invalid_input", "batch[5].event"],
      ["payload_too_large", "batch[6]"],
      ["invalid_input", "batch[7].timestamp"],
    ],
  );
  const rejected = await readRejected(world);
  assert.deepEqual(rejected.map(({ origin, code }) => [origin, code]), [
    ["segment", "invalid_input"],
    ["segment", "invalid_input"],
    ["segment", "not_found"],
    ["segment", "invalid_input"],
    ["segment", "invalid_input"],
    ["segment", "payload_too_large"],
    ["segment", "invalid_input"],
  ]);
  assert.deepEqual(rejected.map(({ is_truncated }) => is_truncated).indexOf(true), 5);
  assert.deepEqual(JSON.parse(rejected[4]!.entry), batch[5]);
  assert.doesNotMatch(rejected.map(({ entry }) => entry).join(), new RegExp(world.key));
  assert.doesNotMatch(world.logged.join(), /Nul|never_seen|pk_/);
});

Deno.test("a single rejected message is 400, and kept with its type", async () => {
  await using world = await createTrackWorld({ now: () => now });
  const response = await world.send({ userId: "null", name: "Home" }, { path: "/track/v1/p" });
  assert.deepEqual([response.status, response.body.details[0].field], [400, "userId"]);
  const [kept] = await readRejected(world);
  assert.deepEqual(JSON.parse(kept!.entry), { userId: "null", name: "Home", type: "page" });
  assert.equal(kept!.request_id, response.body.request_id);
});

Deno.test("POST /track keeps rejected entries too, in bulk and alone", async () => {
  await using world = await createTrackWorld();
  const entry = { external_id: "u1", name: "ping" };
  assert.equal((await world.send(entry)).status, 400);
  const bulk = await world.send({ events: [{ external_id: "u1", name: "ok" }, entry] });
  assert.deepEqual([bulk.status, bulk.body.rejected], [200, 1]);
  assert.equal("message" in bulk.body.results[1], false);
  const alias = { type: "alias", external_id: "u1", previous_id: "u2" };
  assert.equal((await world.send(alias)).status, 404);
  const rejected = await readRejected(world);
  assert.deepEqual(rejected.map((row) => JSON.parse(row.entry)), [entry, entry, alias]);
  assert.deepEqual(rejected.map(({ field }) => field), ["name", "events[1].name", "previous_id"]);
  for (const row of rejected) assert.equal(row.workspace_id, world.workspaceId);
});

Deno.test("a response does not depend on storing its rejected entries", async () => {
  await using world = await createTrackWorld();
  await world.db
    .sql`revoke execute on function private.reject_entries(text, uuid) from signalpost_ingest`;
  const { status, body } = await world.send({
    events: [{ external_id: "u1", name: "ok" }, { external_id: "u1", name: "ping" }],
  });
  assert.deepEqual([status, body.accepted, body.rejected], [200, 1, 1]);
  assert.match(world.logged.join("\n"), /rejected entries not kept/);
});

Deno.test("a batch with a leap second in it is stored, as the second after it", async () => {
  await using world = await createTrackWorld({ now: () => now });
  const timestamp = "2016-12-31T23:59:60.250Z";
  const batch = [{ type: "track", event: "E", userId: "u1", timestamp }];
  const { status, body } = await world.send({ batch }, { path: "/track/v1/batch" });
  assert.deepEqual([status, body.accepted], [200, 1]);
  const [event] = await readEvents(world);
  assert.equal(event!.at.toISOString(), "2017-01-01T00:00:00.250Z");
});

Deno.test("an envelope without a batch is 400, one over the quota 429", async () => {
  await using world = await createTrackWorld();
  const path = "/track/v1/batch";
  const message = { type: "track", event: "E", userId: "u1" };
  for (const body of [{}, { batch: [] }, { batch: {} }, [], 1]) {
    const response = await world.send(body, { path });
    assert.deepEqual([response.status, response.body.details[0].field], [400, "batch"]);
  }
  const many = await world.send({ batch: Array(2501).fill(message) }, { path });
  assert.deepEqual([many.status, many.body.details[0].message], [
    400,
    "must contain at most 2500 messages",
  ]);
  const whole = await world.send({ batch: Array(2500).fill(message) }, { path });
  assert.deepEqual([whole.status, whole.body.accepted], [200, 2500]);
});

Deno.test("the context of an identify fills an empty time zone and language", async () => {
  await using world = await createTrackWorld();
  const read = async () => {
    const [row] = await world.db.sql`select timezone, locale from public.customers`;
    return { ...row };
  };
  const identify = (fields: object) =>
    world.send({ userId: "u1", ...fields }, { path: "/track/v1/identify" });
  await identify({ context: { timezone: "Mars/Olympus", locale: 5 } });
  assert.deepEqual(await read(), { timezone: null, locale: null });
  await identify({ context: { timezone: "Europe/Kiev", locale: "uk_UA" } });
  assert.deepEqual(await read(), { timezone: "Europe/Kyiv", locale: "uk-UA" });
  await identify({ context: { timezone: "Europe/Paris", locale: "fr-FR" } });
  assert.deepEqual(await read(), { timezone: "Europe/Kyiv", locale: "uk-UA" });
  await identify({ traits: { timezone: null }, context: { timezone: "Europe/Paris" } });
  assert.deepEqual(await read(), { timezone: null, locale: "uk-UA" });
  const traits = { timezone: "Europe/Rome", locale: "it_IT" };
  await identify({ traits, context: { timezone: "Europe/Paris" } });
  assert.deepEqual(await read(), { timezone: "Europe/Rome", locale: "it-IT" });
});
