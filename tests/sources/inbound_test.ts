import assert from "node:assert/strict";
import { createInboundWorld, type InboundWorld } from "../../testing/data/inbound.ts";
import {
  resendBounce,
  resendComplaint,
  sendgridEvents,
  shopifyOrder,
  shopifyRefund,
} from "../../testing/data/payloads.ts";
import { type Sender, senders } from "../../testing/senders/senders.ts";

const at = new Date("2026-11-01T12:00:00Z");
const now = () => at;
const body = '{"id":"evt_1","type":"invoice.paid","user":"u1"}';
const mapping = { name: { value: "invoice_paid" }, external_id: "/user" };

async function countEvents({ db }: InboundWorld): Promise<number> {
  const rows = await db.sql<{ n: number }[]>`select count(*)::int as n from public.events`;
  return rows[0]!.n;
}

async function readReceipts({ db }: InboundWorld) {
  return await db.sql`select * from public.inbound_receipts order by received_at, id`;
}

function readEvents({ db }: InboundWorld) {
  return db.sql`
    select e.name, e.kind, e.properties, i.customer_id as "customerId", e.occurred_at as "occurredAt"
    from public.events as e join public.identities as i on i.id = e.identity_id
    order by e.received_at, e.id
  `;
}

for (const sender of senders) {
  Deno.test(`POST /inbound takes ${sender.scheme}, and stores nothing that is not signed`, async () => {
    await using world = await createInboundWorld({ now });
    const source = await world.createSource({ scheme: sender.scheme, mapping });
    for (const headers of await forgeries(sender)) {
      const response = await world.post(`/inbound/${source.id}`, { headers, body });
      assert.equal(response.status, 401);
      assert.equal(response.body.code, "unauthorized");
    }
    assert.equal(await countEvents(world), 0);

    const response = await world.deliver({ source, body });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    const { receipt_id, ...rest } = response.body;
    assert.deepEqual(rest, { ok: true, accepted: 1, duplicates: 0, ignored: 0, rejected: 0 });
    assert.equal(await countEvents(world), 1);
    const receipts = await readReceipts(world);
    const [kept] = receipts.filter(({ id }) => id === receipt_id);
    assert.equal(kept?.outcome, "accepted");
    assert.equal(kept?.body, body);
    for (const refused of receipts.filter(({ id }) => id !== receipt_id)) {
      assert.deepEqual([refused.is_verified, refused.status_code, refused.body], [
        false,
        401,
        null,
      ]);
      assert.match(refused.error, /^Signature (is|does)/);
    }
  });
}

/** Requests that the sender did not make: tampered, stale, of another secret, malformed. */
async function forgeries(sender: Sender): Promise<Headers[]> {
  const good = await sender.sign(body, at);
  const other = await sender.sign(`${body} `, at);
  const without = (name: string) =>
    Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
  const repeated = new Headers(good);
  repeated.append(sender.signatureHeader, good[sender.signatureHeader] ?? "");
  const requests = [
    new Headers(),
    new Headers(other),
    repeated,
    ...Object.keys(good).map((name) => new Headers(without(name))),
  ];
  for (const seconds of [-301, 301]) {
    const moved = await sender.sign(body, new Date(at.getTime() + seconds * 1000));
    const isTimed = JSON.stringify(moved) !== JSON.stringify(good);
    if (isTimed && sender.scheme !== "sendgrid" || sender.timestampHeader) {
      requests.push(new Headers(moved));
    }
  }
  for (const headers of requests) headers.set("content-type", "application/json");
  return requests;
}

Deno.test("POST /inbound returns the same response for an unknown, disabled and malformed id", async () => {
  await using world = await createInboundWorld({ now });
  const disabled = await world.createSource({ enabled: false });
  const ids = [crypto.randomUUID(), disabled.id, "x", "%00", disabled.id.toUpperCase()];
  const responses = [];
  for (const id of ids) {
    // The body is refused to be read: a stream that is pulled would fail the test.
    const unread = new ReadableStream({ pull: () => assert.fail("body was read") }, {
      highWaterMark: 0,
    });
    const { status, body, headers } = await world.post(`/inbound/${id}`, {
      body: unread,
      duplex: "half",
    } as RequestInit);
    const { request_id: _, ...rest } = body;
    const names = [...headers.keys()].sort();
    responses.push({ status, rest, names });
  }
  for (const response of responses) assert.deepEqual(response, responses[0]);
  assert.equal(responses[0]?.status, 404);
  assert.equal((await readReceipts(world)).length, 0);
});

Deno.test("POST /inbound accepts both secrets during a rotation, and later only the new one", async () => {
  // The database forgets expired secrets by its own clock, so this one starts at the same time.
  const start = new Date();
  let time = start;
  await using world = await createInboundWorld({ now: () => time });
  const source = await world.createSource({ scheme: "github", mapping });
  const owner = { kind: "source", workspaceId: world.workspaceId, id: source.id } as const;
  const ciphertext = await world.secrets.encrypt(owner, "the-new-secret-of-github");
  await world.db.sql`
    select private.rotate_inbound_secret(
      ${world.workspaceId}, ${source.id}, ${ciphertext}, interval '1 hour', ${start}
    )
  `;
  assert.equal((await world.deliver({ source, body })).status, 200);
  time = new Date(start.getTime() + 3_600_000);
  assert.equal((await world.deliver({ source, body })).status, 401);
});

Deno.test("the same webhook sent 50 times at once is one event", async () => {
  await using world = await createInboundWorld({ now });
  const withId = { "webhook-id": "msg_1" };
  const source = await world.createSource({ mapping });
  const plain = await world.createSource({ scheme: "shopify", mapping });
  const responses = await Promise.all(Array.from({ length: 50 }, () =>
    Promise.all([
      world.deliver({ source, body, headers: withId }),
      world.deliver({ source: plain, body }),
    ])));
  for (const pair of responses) for (const { status } of pair) assert.equal(status, 200);
  for (const side of [0, 1]) {
    const accepted = responses.reduce((sum, pair) => sum + pair[side]!.body.accepted, 0);
    const duplicates = responses.reduce((sum, pair) => sum + pair[side]!.body.duplicates, 0);
    assert.deepEqual([accepted, duplicates], [1, 49]);
  }
  assert.equal(await countEvents(world), 2);
});

Deno.test("a failed receipt does not cause a 503, because its entries are stored", async () => {
  await using world = await createInboundWorld({ now });
  const source = await world.createSource({ scheme: "service", mapping });
  await world.db.sql`alter function private.record_receipt(text, text) rename to record_later`;
  await world.db.sql.unsafe(`
    create function private.record_receipt(text, text) returns uuid language plpgsql
    as $$ begin raise sqlstate '53300' using message = 'too many connections'; end $$;
    grant execute on function private.record_receipt(text, text) to signalpost_ingest
  `);

  const failed = await world.deliver({ source, body });
  await world.db.sql`drop function private.record_receipt(text, text)`;
  await world.db.sql`alter function private.record_later rename to record_receipt`;
  const repeated = await world.deliver({ source, body });

  assert.deepEqual([failed.status, failed.body.error], [500, "Internal error"]);
  assert.deepEqual([repeated.status, repeated.body.duplicates], [200, 1]);
  assert.equal(await countEvents(world), 1);
});

Deno.test("Shopify's orders and refunds become events of the customer, in any order", async () => {
  await using world = await createInboundWorld({ now });
  const source = await world.createSource({ scheme: "shopify", preset: "shopify" });
  const send = async (topic: string, payload: string) => {
    const headers = { "x-shopify-topic": topic, "x-shopify-event-id": crypto.randomUUID() };
    const response = await world.deliver({ source, body: payload, headers });
    assert.deepEqual(
      [response.status, response.body.ok],
      [200, true],
      JSON.stringify(response.body),
    );
  };
  await send("refunds/create", shopifyRefund);
  await send("orders/create", shopifyOrder);
  await send("orders/paid", shopifyOrder);
  const events = (await readEvents(world)).filter(({ kind }) => kind === "event");
  assert.deepEqual(events.map(({ name }) => name), [
    "order_refunded",
    "order_created",
    "order_completed",
  ]);
  assert.equal(new Set(events.map(({ customerId }) => customerId)).size, 1);
  const customers = await world.db.sql`
    select c.email, c.first_name, c.country, c.phone, (
      select json_agg(i.value order by i.kind desc) from public.identities as i
      where i.customer_id = c.id
    ) as ids
    from public.customers as c
  `;
  assert.deepEqual([...customers], [{
    email: "john@example.com",
    first_name: "John",
    country: "CA",
    phone: null,
    ids: ["115310627314723954", "shopify:order:820982911946154508"],
  }]);
});

Deno.test("bounces and complaints find every customer with the address, or create one", async () => {
  await using world = await createInboundWorld({ now });
  await identify(
    world,
    [["u1", "delivered@resend.dev"], ["u2", "Delivered@Resend.dev"], ["u3", "else@where.com"]]
      .map(([external_id, email]) => ({ external_id, profile: { email } })),
  );
  const resend = await world.createSource({ scheme: "standard-webhooks", preset: "resend" });
  const sendgrid = await world.createSource({ scheme: "sendgrid", preset: "sendgrid" });
  const bounced = await world.deliver({ source: resend, body: resendBounce });
  assert.deepEqual([bounced.body.accepted, bounced.body.rejected], [2, 0]);
  const repeated = await world.deliver({ source: resend, body: resendBounce });
  assert.deepEqual([repeated.body.accepted, repeated.body.duplicates], [0, 2]);
  await world.deliver({
    source: await world.createSource({ scheme: "standard-webhooks", preset: "resend" }),
    body: resendComplaint,
  });
  const batch = await world.deliver({ source: sendgrid, body: sendgridEvents });
  const { receipt_id: _, ...counts } = batch.body;
  assert.deepEqual(counts, { ok: true, accepted: 3, duplicates: 0, ignored: 1, rejected: 0 });
  const events = await world.db.sql`
    select e.name, i.value as id from public.events as e
    join public.identities as i on i.id = e.identity_id
    where e.kind = 'event' order by e.name, i.value
  `;
  assert.deepEqual(events.map(({ name, id }) => `${name} ${id}`), [
    "email_bounced example@test.com",
    "email_bounced u1",
    "email_bounced u2",
    "email_complained example@test.com",
    "email_complained u1",
    "email_complained u2",
    "unsubscribed other@test.com",
  ]);
});

Deno.test("a repeated message counts once, even if its address has a new owner", async () => {
  await using world = await createInboundWorld({ now });
  const source = await world.createSource({ scheme: "standard-webhooks", preset: "resend" });
  const deliver = async (id: string) => {
    const { body } = await world.deliver({ source, body: resendBounce, id });
    return [body.accepted, body.duplicates];
  };
  const email = "delivered@resend.dev";
  assert.deepEqual(await deliver("msg_1"), [1, 0]);
  await identify(world, [{ anon_id: "a1", profile: { email } }]);
  assert.deepEqual(await deliver("msg_1"), [0, 1]);

  assert.deepEqual(await deliver("msg_2"), [1, 0]);
  await identify(world, [{ anon_id: "a2", profile: { email } }]);
  assert.deepEqual(await deliver("msg_2"), [1, 1], "the new one is counted");

  assert.deepEqual(await deliver("msg_3"), [2, 0]);
  await identify(world, [{ external_id: "u2", anon_id: "a2" }]);
  assert.deepEqual(await deliver("msg_3"), [0, 2], "an id that was added makes nobody new");
  await identify(world, [{ external_id: "u2", anon_id: "a1" }]);
  assert.deepEqual(await deliver("msg_3"), [0, 1], "nor does a merge");

  const events = await world.db.sql`
    select i.value as id, count(*)::int as n from public.events as e
    join public.identities as i on i.id = e.identity_id
    where e.kind = 'event' group by i.value order by i.value
  `;
  assert.deepEqual(events.map(({ id, n }) => [id, n]), [["a1", 2], ["a2", 2], [email, 1]]);
});

function identify({ db, workspaceId }: InboundWorld, entries: readonly object[]) {
  const calls = entries.map((entry) => ({
    ...entry,
    workspace_id: workspaceId,
    kind: "identify",
  }));
  return db.sql`select private.ingest(${JSON.stringify(calls)})`;
}

Deno.test("an item that a mapping fails on is kept with its reason, and affects no other", async () => {
  await using world = await createInboundWorld({ now });
  const source = await world.createSource({
    mapping: { items: "/rows", name: "/name", external_id: "/user", idempotency_key: "/id" },
  });
  const rows = [
    { id: 1, name: "good", user: "u1" },
    { id: 2, name: "customer.created", user: "u1" },
    { id: 3, name: "bad_id", user: "undefined" },
    { id: 4, user: "u1" },
    { id: 5, name: "no_id" },
  ];
  const response = await world.deliver({ source, body: JSON.stringify({ rows }) });
  const { receipt_id, ...counts } = response.body;
  assert.deepEqual(counts, { ok: false, accepted: 1, duplicates: 0, ignored: 0, rejected: 4 });
  const rejected = await world.db.sql`
    select origin, source_id, receipt_id, entry, code, field, error
    from public.rejected_entries order by id
  `;
  assert.deepEqual(rejected.map(({ entry }) => JSON.parse(entry)), rows.slice(1));
  assert.deepEqual(rejected.map(({ field }) => field), ["name", "external_id", "name", ""]);
  for (const row of rejected) {
    assert.deepEqual([row.origin, row.source_id, row.receipt_id], [
      "inbound",
      source.id,
      receipt_id,
    ]);
  }
  const [receipt] = await readReceipts(world);
  assert.equal(receipt?.outcome, "rejected");
  assert.equal(receipt?.results.length, 5);
  assert.equal(receipt?.results[0].name, "good");
  assert.match(receipt?.results[1].error, /reserves/);
});

Deno.test("verified handshakes get their response, and create no events", async () => {
  await using world = await createInboundWorld({ now });
  const slack = await world.createSource({ scheme: "slack", mapping });
  const challenge = JSON.stringify({ type: "url_verification", token: "x", challenge: "3eZbrw1a" });
  const response = await world.deliver({ source: slack, body: challenge });
  assert.deepEqual([response.status, response.body], [200, { challenge: "3eZbrw1a" }]);
  const unsigned = await world.post(`/inbound/${slack.id}`, { body: challenge });
  assert.equal(unsigned.status, 401);
  const github = await world.createSource({ scheme: "github", mapping });
  const ping = await world.deliver({
    source: github,
    body: '{"zen":"Design for failure."}',
    headers: { "x-github-event": "ping" },
  });
  assert.equal(ping.status, 200);
  assert.equal(await countEvents(world), 0);
  const outcomes = (await readReceipts(world)).map(({ outcome }) => outcome).sort();
  assert.deepEqual(outcomes, ["handshake", "handshake", "refused"]);
});

Deno.test("a source without preset and mapping keeps its webhooks, to be resent", async () => {
  await using world = await createInboundWorld({ now });
  const source = await world.createSource();
  const response = await world.deliver({ source, body });
  assert.deepEqual([response.status, response.body.rejected], [200, 1]);
  const [receipt] = await readReceipts(world);
  assert.deepEqual([receipt?.outcome, receipt?.body], ["rejected", body]);
  const [rejected] = await world.db.sql`select entry, field, part from public.rejected_entries`;
  assert.deepEqual({ ...rejected }, { entry: body, field: "mapping", part: null });
});

Deno.test("POST /inbound applies the ingest quota, the body limits and the error table", async () => {
  await using world = await createInboundWorld({
    now,
    plan: { ingestPerSecond: 1, ingestBurst: 5 },
  });
  const source = await world.createSource({ mapping });
  const large = await world.deliver({ source, body: `"${"x".repeat(1024 * 1024)}"` });
  assert.deepEqual([large.status, large.body.code], [413, "payload_too_large"]);
  const malformed = await world.deliver({ source, body: "{" });
  assert.deepEqual([malformed.status, malformed.body.code], [400, "invalid_json"]);
  const xml = await world.deliver({ source, body, headers: { "content-type": "text/xml" } });
  assert.deepEqual([xml.status, xml.body.code], [415, "unsupported_media_type"]);
  const zipped = await world.deliver({ source, body, headers: { "content-encoding": "gzip" } });
  assert.deepEqual([zipped.status, zipped.body.code], [415, "unsupported_media_type"]);
  const statuses = [];
  for (let i = 0; i < 5; i++) {
    const response = await world.deliver({ source, body: body.replace("evt_1", `evt_${i}`) });
    statuses.push(response.status);
    if (response.status === 429) assert.match(response.headers.get("retry-after") ?? "", /^\d+$/);
  }
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  const wrong = await world.post(`/inbound/${source.id}`, { method: "GET" });
  assert.deepEqual([wrong.status, wrong.headers.get("allow")], [405, "POST"]);
});

Deno.test("unverified requests take no tokens, and fill neither the database nor the quota", async () => {
  await using world = await createInboundWorld({
    now,
    plan: { ingestPerSecond: 1, ingestBurst: 5 },
  });
  const source = await world.createSource({ mapping });
  for (let i = 0; i < 60; i++) {
    const headers = { "x-service-signature": "0".repeat(64), "content-type": "application/json" };
    const { status } = await world.post(`/inbound/${source.id}`, { headers, body });
    assert.equal(status, 401);
  }
  assert.equal((await readReceipts(world)).length, 20);
  assert.equal((await world.deliver({ source, body })).status, 200);
});

Deno.test("no log contains received data, and an internal error reveals nothing", async () => {
  await using world = await createInboundWorld({ now });
  const source = await world.createSource({ mapping });
  await world.deliver({ source, body });
  await world.db.sql`revoke execute on function private.ingest(text, uuid) from signalpost_ingest`;
  const failed = await world.deliver({ source, body: body.replace("evt_1", "evt_2") });
  assert.deepEqual([failed.status, failed.body.error], [500, "Internal error"]);
  await world.db.sql`grant execute on function private.ingest(text, uuid) to signalpost_ingest`;
  const log = world.logged.join("\n");
  assert.doesNotMatch(log, /evt_1|whsec_|invoice/);
  assert.match(log, new RegExp(source.id));
});
