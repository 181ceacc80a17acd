import assert from "node:assert/strict";
import { startTrack } from "../../testing/service/app.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { createPlan, type PlanOverrides } from "../../testing/data/factories.ts";
import { createInboundWorld } from "../../testing/data/inbound.ts";
import { shopifyOrder } from "../../testing/data/payloads.ts";
import { senderOf } from "../../testing/senders/senders.ts";

async function actAs(world: ApiWorld, role: "admin" | "member" | "viewer") {
  const token = await world.signInAs(role);
  const { workspaceId } = world;
  return (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId, body });
}

async function trackOn(world: ApiWorld) {
  return startTrack({ url: world.db.url, key: await world.createKey(["track:write"]) });
}

function readEvents(world: ApiWorld) {
  return world.sql`
    select coalesce(name, kind) as name, occurred_at from public.events order by received_at, id
  `;
}

Deno.test("entries rejected by track and Segment's paths are listed, filtered and read", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  await track.send({ events: [{ external_id: "null", name: "a" }] });
  await track.send({ batch: [{ type: "track", userId: "u1" }] }, { path: "/track/v1/batch" });
  const act = await actAs(world, "viewer");
  const list = await act("GET", "/rejected-entries");
  assert.deepEqual(
    list.body.data.map((each: { origin: string; field: string }) => [each.origin, each.field]),
    [["segment", "batch[0].event"], ["track", "events[0].external_id"]],
  );
  const only = await act("GET", "/rejected-entries?origin=track");
  assert.equal(only.body.data.length, 1);
  const [row] = only.body.data;
  assert.deepEqual(row.entry, { external_id: "null", name: "a" });
  assert.match(row.error, /placeholder/);
  assert.deepEqual((await act("GET", `/rejected-entries/${row.id}`)).body, row);
  const first = await act("GET", "/rejected-entries?limit=1");
  const second = await act("GET", `/rejected-entries?limit=1&cursor=${first.body.next_cursor}`);
  assert.equal(second.body.data[0].id, row.id);
});

Deno.test("rejected entries are filtered by code and by field, page by page and as a stream", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  const long = "x".repeat(300);
  await track.send({ external_id: "u1", name: "a" });
  await track.send({ external_id: "null", name: "a" });
  await track.send({
    events: [
      { external_id: "u1", name: "" },
      { external_id: "null", name: "a" },
      { type: "alias", external_id: "u1", previous_id: "u0" },
    ],
  });
  await track.send({ batch: [{ type: "track", userId: "u1" }] }, { path: "/track/v1/batch" });
  await track.send({ external_id: "u1", name: "a", [long]: 1 });
  const act = await actAs(world, "viewer");
  const fieldsOf = async (query: string) => {
    const { status, body } = await act("GET", `/rejected-entries?sort=oldest&${query}`);
    assert.equal(status, 200);
    return body.data.map(({ field }: { field: string }) => field);
  };
  assert.deepEqual(await fieldsOf("code=not_found"), ["events[2].previous_id"]);
  assert.deepEqual(await fieldsOf("code=payload_too_large"), []);
  assert.deepEqual(await fieldsOf("field=external_id"), ["external_id", "events[1].external_id"]);
  assert.deepEqual(await fieldsOf("field=event&origin=segment"), ["batch[0].event"]);
  assert.deepEqual(await fieldsOf("field=events[1].external_id"), []);
  assert.equal((await fieldsOf(`field=${long.slice(0, 200)}`)).length, 1);
  assert.equal((await fieldsOf("code=invalid_input")).length, 5);
  const path = "/rejected-entries?field=external_id&limit=1";
  const first = await act("GET", path);
  const second = await act("GET", `${path}&cursor=${first.body.next_cursor}`);
  assert.deepEqual(
    [first, second].map(({ body }) => body.data.map(({ field }: { field: string }) => field)),
    [["events[1].external_id"], ["external_id"]],
  );
  assert.equal(second.body.next_cursor, null);
  const stream = await act("GET", "/rejected-entries/export?code=not_found&format=ndjson");
  const lines = stream.body.trimEnd().split("\n").map((line: string) => JSON.parse(line).field);
  assert.deepEqual(lines, ["events[2].previous_id"]);
  const wrong = await act("GET", "/rejected-entries?code=nonsense&field=%00");
  assert.equal(wrong.status, 400);
  assert.deepEqual(wrong.body.details, [
    {
      field: "code",
      message: 'must be one of "invalid_input", "not_found", "payload_too_large", "unavailable", ' +
        '"internal_error"',
    },
    { field: "field", message: "must not contain U+0000 or a lone surrogate" },
  ]);
});

Deno.test("deeply nested entries are listed with the others, as text", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  await using inbound = await createInboundWorld({ on: world });
  const source = await inbound.createSource({ mapping: { name: "/name" } });
  const nest = (levels: number) => `{"0":1,"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  await track.send(nest(10_000));
  await track.send(`{"batch":[{"a":${"[".repeat(1e4)}${"]".repeat(1e4)}}]}`, {
    path: "/track/v1/batch",
  });
  await inbound.deliver({ source, body: `{"name":"ping","more":${nest(3_000)}}` });
  await track.send(nest(99));
  const act = await actAs(world, "viewer");
  const list = await act("GET", "/rejected-entries");
  assert.equal(list.status, 200);
  const rows: { origin: string; is_truncated: boolean; entry: unknown }[] = list.body.data;
  assert.deepEqual(rows.map(({ origin, is_truncated }) => [origin, is_truncated]), [
    ["track", false],
    ["inbound", true],
    ["segment", true],
    ["track", true],
  ]);
  assert.deepEqual(rows[0]!.entry, JSON.parse(nest(99)));
  assert.equal(rows[3]!.entry, `{"0":1,"a":${"[".repeat(99)}"…"${"]".repeat(99)}}`);
});

Deno.test("an alias is resent once its id is known", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  await track.send({ external_id: "u1", name: "a" });
  await track.send({ events: [{ type: "alias", external_id: "u1", previous_id: "u0" }] });
  const act = await actAs(world, "member");
  const { data: [row] } = (await act("GET", "/rejected-entries")).body;
  const path = `/rejected-entries/${row.id}/resend`;
  const early = await act("POST", path);
  assert.deepEqual([early.status, early.body.code], [404, "not_found"]);
  await track.send({ external_id: "u0", name: "b" });
  const sent = await act("POST", path);
  assert.equal(sent.status, 200);
  assert.deepEqual((await readEvents(world)).map(({ name }) => name), ["a", "b", "alias"]);
  const { body: shown } = await act("GET", `/rejected-entries/${row.id}`);
  assert.equal(shown.resent_event_id, sent.body.results[0].event_id);
  const again = await act("POST", path);
  assert.deepEqual([again.status, again.body.code], [409, "conflict"]);
  assert.deepEqual((await act("GET", "/rejected-entries?resent=false")).body.data, []);
});

Deno.test("a correction that was resent is 409 without a body too", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  await track.send({ external_id: "undefined", name: "a" });
  const act = await actAs(world, "member");
  const { data: [row] } = (await act("GET", "/rejected-entries")).body;
  const path = `/rejected-entries/${row.id}/resend`;
  const entry = { external_id: "u1", name: "a" };
  assert.equal((await act("POST", path, { entry })).status, 200);
  const again = await act("POST", path);
  assert.deepEqual([again.status, again.body.code], [409, "conflict"]);
});

Deno.test("a corrected entry is stored with the time of its rejection", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  const segment = { path: "/track/v1/batch" };
  await track.send({ events: [{ external_id: "null", name: "a" }] });
  await track.send(
    { batch: [{ type: "track", userId: "null", event: "b", messageId: "m" }] },
    segment,
  );
  const act = await actAs(world, "member");
  const { data } = (await act("GET", "/rejected-entries")).body;
  const fixed: Record<string, unknown> = {
    track: { external_id: "u1", name: "a" },
    segment: { type: "track", userId: "u1", event: "b", messageId: "m" },
  };
  for (const { id, origin, rejected_at } of data) {
    const path = `/rejected-entries/${id}/resend`;
    const field = origin === "segment" ? "entry.userId" : "entry.external_id";
    assert.equal((await act("POST", path)).body.details[0].field, field);
    assert.equal((await act("POST", path, { entry: fixed[origin] })).status, 200);
    const events = await readEvents(world);
    assert.equal(events.at(-1)?.occurred_at.toISOString(), rejected_at);
  }
  assert.deepEqual((await readEvents(world)).map(({ name }) => name), ["b", "a"]);
  // The sender's own repetition of what was fixed is a duplicate.
  const repeated = await track.send({ batch: [fixed.segment] }, segment);
  assert.equal(repeated.body.duplicates, 1);
});

Deno.test("what is wrong with an entry that is sent again is reported in the format of its origin", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  await track.send({ events: [{ external_id: "null", name: "a" }] });
  await track.send({ batch: [{ type: "nothing" }] }, { path: "/track/v1/batch" });
  const act = await actAs(world, "member");
  const { data: [ofSegment, ofTrack] } = (await act("GET", "/rejected-entries")).body;
  const levels = (count: number) => JSON.parse("[".repeat(count) + "]".repeat(count));
  const entry = { external_id: "u1", name: "a" };
  const deep = `entry.properties.p${"[0]".repeat(9)}`;
  const cases = [
    [{ ...entry, name: "a\0" }, "entry.name", ofTrack],
    [{ ...entry, name: "" }, "entry.name", ofTrack],
    [{ ...entry, nmae: "a" }, "entry.nmae", ofTrack],
    [{ ...entry, properties: { p: levels(10) } }, deep, ofTrack],
    [{ name: "a" }, "entry", ofTrack],
    [{ type: "track", userId: "u1", event: "" }, "entry.event", ofSegment],
    [{ type: "nothing" }, "entry.type", ofSegment],
    [undefined, "entry.type", ofSegment],
  ] as const;
  for (const [fixed, field, { id }] of cases) {
    const body = fixed && { entry: fixed };
    const response = await act("POST", `/rejected-entries/${id}/resend`, body);
    assert.deepEqual([response.status, response.body.details?.[0].field], [400, field]);
  }
  const path = `/rejected-entries/${ofTrack.id}/resend`;
  const large = await act("POST", path, {
    entry: { ...entry, context: { a: "x".repeat(40_000) } },
  });
  assert.deepEqual([large.status, large.body.code], [413, "payload_too_large"]);
  const nested = { ...entry, properties: { p: levels(9) } };
  assert.equal((await track.send(nested)).status, 200);
  assert.equal((await act("POST", path, { entry: nested })).status, 200);
});

Deno.test("an item of a source is resent with the current mapping", async () => {
  await using world = await createApiWorld();
  let laterMs = 0;
  const now = () => new Date(Date.now() + laterMs);
  await using inbound = await createInboundWorld({ on: world, now });
  const sender = senderOf("shopify");
  const act = await actAs(world, "admin");
  const { body: source } = await act("POST", "/sources", {
    name: "Shop",
    scheme: "shopify",
    secret: sender.secret,
  });
  const headers = { "x-shopify-topic": "orders/create", "x-shopify-event-id": "e1" };
  const delivery = { source: { id: source.id, sender }, body: shopifyOrder, headers };
  await inbound.deliver(delivery);
  const list = await act("GET", `/rejected-entries?source_id=${source.id}`);
  const path = `/rejected-entries/${list.body.data[0].id}/resend`;
  assert.equal((await act("POST", path)).body.details[0].field, "mapping");
  await act("PATCH", `/sources/${source.id}`, { preset: "shopify" });
  const sent = await act("POST", path);
  assert.equal(sent.body.results.length, 2);
  assert.deepEqual((await readEvents(world)).map(({ name }) => name), [
    "identify",
    "order_created",
  ]);
  // By then the function has forgotten how the source was before.
  laterMs = 10_000;
  const repeated = await inbound.deliver(delivery);
  assert.equal(repeated.body.duplicates, 2);
});

Deno.test("an unmapped payload is resent once a mapping splits it", async () => {
  await using world = await createApiWorld();
  await using inbound = await createInboundWorld({ on: world });
  const act = await actAs(world, "admin");
  const source = await inbound.createSource({ mapping: { items: "/rows", name: "/name" } });
  const rows = [{ name: "a", user: "u1" }, { name: "b", user: "u1" }];
  await inbound.deliver({ source, body: JSON.stringify({ events: rows }) });
  const { data: [row] } = (await act("GET", "/rejected-entries")).body;
  assert.equal(row.field, "items");
  const mapping = { items: "/events", name: "/name", external_id: "/user" };
  await act("PATCH", `/sources/${source.id}`, { mapping });
  const sent = await act("POST", `/rejected-entries/${row.id}/resend`);
  assert.equal(sent.body.results.length, 2);
  assert.deepEqual((await readEvents(world)).map(({ name }) => name), ["a", "b"]);
});

Deno.test("a resent item becomes at most 500 entries", async () => {
  await using world = await createApiWorld();
  await using inbound = await createInboundWorld({ on: world });
  const mapping = { items: "/rows", name: { value: "a" }, anon_id: { value: "a1" } };
  const source = await inbound.createSource({ mapping });
  await inbound.deliver({ source, body: "{}" });
  const act = await actAs(world, "member");
  const { data: [row] } = (await act("GET", "/rejected-entries")).body;
  const path = `/rejected-entries/${row.id}/resend`;
  for (const count of [501, 5000]) {
    const response = await act("POST", path, { entry: { rows: Array(count).fill({}) } });
    assert.deepEqual([response.status, response.body.code], [413, "payload_too_large"]);
    assert.match(response.body.error, /must not contain over 500 items$/);
  }
  assert.equal((await readEvents(world)).length, 0);
  const sent = await act("POST", path, { entry: { rows: Array(500).fill({}) } });
  assert.deepEqual([sent.status, sent.body.results.length], [200, 500]);
});

Deno.test("an item that would become over 500 entries is refused as a whole", async () => {
  await using world = await createApiWorld();
  await using inbound = await createInboundWorld({ on: world });
  const source = await inbound.createSource({ scheme: "service", preset: "resend" });
  const body = { type: "email.bounced", data: { to: [] } };
  await inbound.deliver({ source, body: JSON.stringify(body) });
  const act = await actAs(world, "member");
  const { data: [row] } = (await act("GET", "/rejected-entries")).body;
  const path = `/rejected-entries/${row.id}/resend`;
  const bounceOf = (count: number) => {
    return {
      entry: { ...body, data: { to: Array.from({ length: count }, (_, i) => `${i}@b.c`) } },
    };
  };
  const response = await act("POST", path, bounceOf(501));
  assert.deepEqual([response.status, response.body.code], [413, "payload_too_large"]);
  assert.equal((await act("POST", path, bounceOf(500))).body.results.length, 500);
});

Deno.test("rejected entries belong to their workspace, and only permitted members and keys resend them", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  await track.send({ events: [{ external_id: "null", name: "a" }] });
  const viewer = await actAs(world, "viewer");
  const { data: [row] } = (await viewer("GET", "/rejected-entries")).body;
  const path = `/rejected-entries/${row.id}`;
  assert.equal((await viewer("POST", `${path}/resend`)).status, 403);
  const other = await world.createWorkspace();
  const stranger = await world.signInAs("owner", other);
  const foreign = await world.createKey(["events:read", "track:write"], other);
  for (const who of [{ token: stranger, workspaceId: other }, { token: foreign }]) {
    assert.deepEqual((await world.send({ path: "/rejected-entries", ...who })).body.data, []);
    assert.equal((await world.send({ path, ...who })).status, 404);
    const resend = { method: "POST", path: `${path}/resend`, ...who };
    assert.equal((await world.send(resend)).status, 404);
  }
  const reader = await world.createKey(["events:read"]);
  assert.equal((await world.send({ path, token: reader })).status, 200);
  const entry = { external_id: "u1", name: "a" };
  const resend = { method: "POST", path: `${path}/resend`, body: { entry } };
  assert.equal((await world.send({ ...resend, token: reader })).status, 403);
  const writer = await world.createKey(["track:write"]);
  assert.equal((await world.send({ ...resend, token: writer })).status, 200);
});

/** A refused entry of a workspace whose plan has these quotas of ingest, and how to send it again. */
async function createRefused(world: ApiWorld, plan: PlanOverrides) {
  await using track = await trackOn(world);
  await track.send({ external_id: "u1", name: "a", properties: { text: "x".repeat(5000) } });
  await track.send({ events: [{ external_id: "null", name: "b" }] });
  await world.sql`select private.fold_usage()`;
  const planId = await createPlan(world.sql, plan);
  await world.sql`update public.workspaces set plan_id = ${planId} where id = ${world.workspaceId}`;
  const act = await actAs(world, "member");
  const { data: [row] } = (await act("GET", "/rejected-entries")).body;
  const path = `/rejected-entries/${row.id}`;
  return {
    planId,
    resend: () => act("POST", `${path}/resend`, { entry: { external_id: "u1", name: "b" } }),
    read: async () => (await act("GET", path)).body,
  };
}

Deno.test("resending over the daily bytes is 429 like on track, and stores nothing", async () => {
  await using world = await createApiWorld();
  const { planId, resend, read } = await createRefused(world, { ingestBytesPerDay: 4096 });
  const refused = await resend();
  assert.deepEqual([refused.status, refused.body.code], [429, "rate_limited"]);
  const seconds = refused.headers.get("retry-after");
  assert.equal(
    refused.body.error,
    `Cannot store more: the plan "${planId}" allows 4 KiB a day: retry in ${seconds} s`,
  );
  assert.deepEqual((await readEvents(world)).map(({ name }) => name), ["a"]);
  assert.equal((await read()).resent_at, null);
  await world.sql`update public.plans set ingest_bytes_per_day = 1000000 where id = ${planId}`;
  assert.equal((await resend()).status, 200);
});

Deno.test("resending an entry costs one ingest token, and is 429 without one", async () => {
  await using world = await createApiWorld();
  const { resend } = await createRefused(world, { ingestPerSecond: 1, ingestBurst: 1000 });
  // Refilled in an hour: no time that passes here adds any.
  const leave = (tokens: number) =>
    world.sql`
      update private.rate_limit_buckets
      set tokens = ${tokens}, refilled_at = now() + interval '1 hour' where bucket = 'ingest'`;
  await leave(0);
  const refused = await resend();
  assert.deepEqual([refused.status, refused.body.code], [429, "rate_limited"]);
  assert.match(refused.body.error, /^Rate limit of the workspace is exceeded: retry in \d+ s$/);
  assert(Number(refused.headers.get("retry-after")) >= 1);
  assert.deepEqual((await readEvents(world)).map(({ name }) => name), ["a"]);
  await leave(5);
  assert.equal((await resend()).status, 200);
  const [bucket] = await world.sql`
    select b.tokens from private.rate_limit_buckets as b where b.bucket = 'ingest'`;
  assert.equal(bucket!.tokens, 4);
});
