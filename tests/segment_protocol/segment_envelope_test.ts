import assert from "node:assert/strict";
import { createTrackWorld, type TrackWorld } from "../../testing/service/app.ts";

const start = Date.parse("2026-11-01T12:00:00Z");
const now = () => new Date(start);
const batchPath = "/track/v1/batch";

function readEvents({ db }: TrackWorld) {
  return db.sql<{ name: string; context: Record<string, unknown>; at: string }[]>`
    select name, context, private.rfc3339(occurred_at) as at
    from public.events order by received_at, id
  `;
}

async function readContexts(world: TrackWorld): Promise<Record<string, unknown>[]> {
  return (await readEvents(world)).map(({ context }) => context);
}

const order = { type: "track", event: "Order Completed", userId: "u1" };

Deno.test("a batch's context is in each of its messages, and a message's own keys win", async () => {
  await using world = await createTrackWorld({ now });
  // analytics-go sends this.
  const library = { name: "analytics-go", version: "3.0.0" };
  const batch = [order, { ...order, context: { locale: "de", app: { name: "Own" } } }];
  const envelope = { context: { library, app: { name: "Shop", version: "1" } }, sentAt: now() };
  for (const path of [batchPath, "/track/v1/import/"]) {
    const { status, body } = await world.send({ ...envelope, batch }, { path });
    assert.deepEqual([status, body.accepted], [200, 2]);
  }
  const expected = [envelope.context, { library, locale: "de", app: { name: "Own" } }];
  assert.deepEqual(await readContexts(world), [...expected, ...expected]);
});

Deno.test("a batch's context and integrations are kept with rejected messages", async () => {
  await using world = await createTrackWorld({ now });
  const common = { context: { locale: "de" }, integrations: { All: false } };
  const message = { ...order, userId: "null", integrations: { Mixpanel: true } };
  await world.send({ ...common, batch: [message] }, { path: batchPath });
  const [row] = await world.db.sql`select entry from public.rejected_entries`;
  assert.deepEqual(JSON.parse(row!.entry), {
    ...message,
    context: { locale: "de" },
    integrations: { All: false, Mixpanel: true },
  });
});

Deno.test("an invalid context is ignored in an envelope, and rejected in a message", async () => {
  await using world = await createTrackWorld({ now });
  for (const context of [null, "x", 7, []]) {
    const { body } = await world.send({ context, batch: [order] }, { path: batchPath });
    assert.equal(body.accepted, 1);
  }
  const batch = [{ ...order, context: "x" }];
  const { body } = await world.send({ context: { a: 1 }, batch }, { path: batchPath });
  assert.equal(body.results[0].field, "batch[0].context");
});

Deno.test("a batch's unstorable context rejects each message without a server error", async () => {
  await using world = await createTrackWorld({ now });
  const elsewhere = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, "\0"]));
  for (const envelope of [{}, elsewhere]) {
    const sent = { ...envelope, context: { app: { name: "\0" } }, batch: [order, order] };
    const { status, body } = await world.send(sent, { path: batchPath });
    assert.deepEqual([status, body.rejected], [200, 2]);
    assert.match(body.results[0].error, /U\+0000/);
  }
  const { body } = await world.send({ ...elsewhere, batch: [order] }, { path: batchPath });
  assert.equal(body.rejected, 1);
  const few = { note: "\0", batch: [order] };
  assert.equal((await world.send(few, { path: batchPath })).body.accepted, 1);
});

Deno.test("a large context in the envelope is 413 with many messages, and stored with few", async () => {
  await using world = await createTrackWorld({ now });
  const context = { note: "x".repeat(30_000) };
  const batch = Array.from({ length: 180 }, () => order);
  const { status, body } = await world.send({ context, batch }, { path: batchPath });
  assert.deepEqual([status, body.code], [413, "payload_too_large"]);
  assert.match(body.message, /5242880 bytes/);
  const few = await world.send({ context, batch: batch.slice(0, 5) }, { path: batchPath });
  assert.equal(few.body.accepted, 5);
  const over = { context: { note: "x".repeat(33_000) }, batch: [order] };
  const response = await world.send(over, { path: batchPath });
  assert.equal(response.body.results[0].code, "payload_too_large");
});

Deno.test("a message's own sentAt overrides its envelope's", async () => {
  await using world = await createTrackWorld({ now });
  const timestamp = "2026-11-01T13:00:00.000Z";
  const ahead = { ...order, timestamp, sentAt: "2026-11-01T13:00:05.000Z" };
  await world.send({ batch: [ahead] }, { path: batchPath });
  await world.send({ batch: [ahead], sentAt: now() }, { path: batchPath });
  await world.send({ ...ahead, sentAt: undefined, type: undefined }, { path: "/track/v1/track" });
  const times = (await readEvents(world)).map(({ at }) => at);
  assert.deepEqual(times, [
    "2026-11-01T11:59:55.000Z",
    "2026-11-01T11:59:55.000Z",
    "2026-11-01T13:00:00.000Z",
  ]);
});

// No text, no time, and times that would move the message before 2000 or over a day ahead.
const impossible = [
  ...[7, null, {}, "soon", "now 5", "+275760-09-13T00:00:00.000Z", "-000001-01-01T00:00:00.000Z"],
  ...["9999-12-31T23:59:59Z", "2028-01-01T00:00:00Z", "0000-01-01T00:00:00Z"],
];

Deno.test("an impossible sentAt is ignored, and the message keeps its time", async () => {
  await using world = await createTrackWorld({ now });
  // So early that a clock which is two years ahead could not have said it.
  const timestamp = "2000-06-01T12:00:00.000Z";
  const ownTimes = [timestamp, "2026-11-01T11:59:00.000Z"];
  const sentAts = impossible.filter((sentAt) => sentAt !== "0000-01-01T00:00:00Z");
  const count = { accepted: 0 };
  const store = async (message: object, envelope = {}) => {
    const { body } = await world.send({ batch: [{ ...order, ...message }], ...envelope }, {
      path: batchPath,
    });
    assert.deepEqual([body.accepted, body.results[0].error], [1, undefined]);
    const single = await world.send({ ...order, type: undefined, ...message, ...envelope }, {
      path: "/track/v1/track",
    });
    assert.deepEqual([single.status, single.body.error], [200, undefined]);
    count.accepted += 2;
  };
  for (const sentAt of sentAts) {
    await store({ timestamp, sentAt });
    await store({ timestamp }, { sentAt });
  }
  await store({ timestamp: ownTimes[1], sentAt: "0000-01-01T00:00:00Z" });
  const times = (await readEvents(world)).map(({ at }) => at);
  assert.equal(times.length, count.accepted);
  assert.deepEqual(new Set(times), new Set(ownTimes));
});

Deno.test("an envelope's sentAt replaces a message's impossible one", async () => {
  await using world = await createTrackWorld({ now });
  const timestamp = "2026-11-01T13:00:00.000Z";
  const sentAts = impossible.filter((sentAt) => sentAt !== "2028-01-01T00:00:00Z");
  const batch = sentAts.map((sentAt) => ({ ...order, timestamp, sentAt }));
  const { body } = await world.send({ batch, sentAt: "2026-11-01T13:00:05.000Z" }, {
    path: batchPath,
  });
  assert.equal(body.accepted, batch.length);
  const times = (await readEvents(world)).map(({ at }) => at);
  assert.deepEqual(new Set(times), new Set(["2026-11-01T11:59:55.000Z"]));
});

Deno.test("an impossible sentAt does not reset what is known of a sender's clock", async () => {
  let at = start;
  await using world = await createTrackWorld({ now: () => new Date(at) });
  const offsets: number[] = [];
  for (let i = 0; i < 7; i++) {
    const sentAt = new Date(at - 3_600_000).toISOString();
    const broken = { ...order, timestamp: sentAt, sentAt: "9999-12-31T23:59:59Z" };
    await world.send({ batch: [broken] }, { path: batchPath });
    const event = `behind ${i}`;
    const batch = [{ ...order, event, timestamp: sentAt }];
    await world.send({ batch, sentAt }, { path: batchPath });
    const { at: stored } = (await readEvents(world)).find(({ name }) => name === event)!;
    offsets.push((Date.parse(stored) - at) / 1000 + 0);
    at += 120_000;
  }
  assert.deepEqual(offsets, [-3600, -3600, -3600, -3600, -3600, 0, 0]);
});

Deno.test("times are kept through an outage, and corrected for a clock known to be behind", async () => {
  let at = start;
  await using world = await createTrackWorld({ now: () => new Date(at) });
  const library = { name: "analytics-java" };
  const send = async (event: string, behindMs: number, headers = {}) => {
    const sent = new Date(at - behindMs).toISOString();
    const batch = [{ ...order, event, timestamp: sent }];
    const { body } = await world.send({ context: { library }, batch, sentAt: sent }, {
      path: batchPath,
      headers,
    });
    assert.equal(body.accepted, 1);
    const { at: stored } = (await readEvents(world)).find(({ name }) => name === event)!;
    return (Date.parse(stored) - at) / 1000 + 0;
  };
  assert.equal(await send("after 70 s of outage", 70_000), -70);
  assert.equal(await send("made later", 65_000), -65);
  const behind = { "x-forwarded-for": "192.0.2.7" };
  const found: number[] = [];
  for (let i = 0; i < 7; i++) {
    found.push(await send(`behind ${i}`, 3_600_000, behind));
    at += 120_000;
  }
  assert.deepEqual(found, [-3600, -3600, -3600, -3600, -3600, 0, 0]);
  assert.equal(await send("somebody else", 3_600_000), -3600);
});

const origin = "https://shop.example";

Deno.test("context.ip of a browser's message is the address reported by the gateway", async () => {
  await using world = await createTrackWorld({ now });
  const send = (headers: Record<string, string>, message = {}) =>
    world.send({ batch: [{ ...order, ...message }] }, { path: "/track/v1/b", headers });
  const forwarded = { "x-forwarded-for": "192.0.2.1, 10.0.0.1" };
  await send({ origin, ...forwarded });
  await send({ origin, ...forwarded, "cf-connecting-ip": "2001:db8::1" });
  await send({ origin, ...forwarded }, { context: { ip: "0.0.0.0", locale: "de" } });
  await send(forwarded);
  await send({ origin });
  for (const address of ["unknown", "", "1.2.3.4'; --", "f".repeat(60)]) {
    await send({ origin, "x-forwarded-for": address });
  }
  const ips = (await readContexts(world)).map(({ ip }) => ip);
  assert.deepEqual(ips.slice(0, 3), ["192.0.2.1", "2001:db8::1", "0.0.0.0"]);
  assert.deepEqual(new Set(ips.slice(3)), new Set([undefined]));
  const single = { ...order, type: undefined };
  await world.send(single, { path: "/track/v1/t", headers: { origin, ...forwarded } });
  assert.deepEqual((await readContexts(world)).at(-1), { ip: "192.0.2.1" });
});

Deno.test("a null context.ip is not filled with the browser's address", async () => {
  await using world = await createTrackWorld({ now });
  const message = { ...order, context: { ip: null, userAgent: null, locale: "de" } };
  const headers = { origin, "x-forwarded-for": "192.0.2.1" };
  const responses = [
    await world.send({ batch: [message] }, { path: batchPath }),
    await world.send({ batch: [message] }, { path: batchPath, headers }),
    await world.send({ batch: [order], context: message.context }, { path: batchPath, headers }),
  ];
  assert.deepEqual(responses.map(({ body }) => body.accepted), [1, 1, 1]);
  assert.deepEqual(await readContexts(world), Array(3).fill({ locale: "de" }));
});

Deno.test("a workspace that turns it off gets no context.ip from a browser's connection", async () => {
  await using world = await createTrackWorld({ now });
  await world.db.sql`update public.workspaces set fill_browser_ip = false`;
  await using later = world.startInstance();
  const headers = { origin, "x-forwarded-for": "192.0.2.1" };
  await later.send({ batch: [order] }, { path: "/track/v1/b", headers });
  const own = { ...order, context: { ip: "192.0.2.2" } };
  await later.send({ batch: [own] }, { path: "/track/v1/b", headers });
  assert.deepEqual(await readContexts(world), [{}, { ip: "192.0.2.2" }]);
});

Deno.test("errors below /track/v1 repeat their text as message, like Segment's", async () => {
  await using world = await createTrackWorld({ now });
  const errors = [
    await world.send({ batch: [] }, { path: batchPath }),
    await world.send("{", { path: batchPath }),
    await world.send({ batch: [order] }, {
      path: batchPath,
      headers: { authorization: undefined },
    }),
    await world.send({ userId: "u1" }, { path: "/track/v1/track" }),
    await world.send({}, { path: "/track/v1/nowhere" }),
    await world.send(undefined, { path: batchPath, method: "GET" }),
  ];
  assert.deepEqual(errors.map(({ status }) => status), [400, 400, 401, 400, 404, 405]);
  for (const { body } of errors) assert.ok(body.error !== "" && body.message === body.error);
  const { status, body } = await world.send({}, { path: "/track" });
  assert.deepEqual([status, body.message], [400, undefined]);
});
