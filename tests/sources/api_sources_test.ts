import assert from "node:assert/strict";
import { type ApiRequest, type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { createInboundWorld } from "../../testing/data/inbound.ts";
import { shopifyOrder } from "../../testing/data/payloads.ts";
import { senderOf } from "../../testing/senders/senders.ts";

const hmac = { header: "X-Signature", separator: ";", prefix: "h1=" };
const topic_arn = "arn:aws:sns:us-east-1:123456789012:mail";
const secret = "8f742231b10e8888";

/** A function that sends as an admin of the world's workspace. */
async function actAsAdmin(world: ApiWorld) {
  const token = await world.signInAs("admin");
  const { workspaceId } = world;
  return (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId, body });
}

const body = '{"id":"evt_1","type":"invoice.paid","user":"u1","n":820982911946154508}';

Deno.test("a source is created, read, changed, listed and deleted", async () => {
  await using world = await createApiWorld();
  const act = await actAsAdmin(world);
  const created = await act("POST", "/sources", { name: "Shop", scheme: "service" });
  assert.equal(created.status, 201);
  const { secret, ...source } = created.body;
  assert.match(secret, /^whsec_/);
  assert.deepEqual(source, {
    id: source.id,
    name: "Shop",
    scheme: "service",
    hmac: null,
    topic_arn: null,
    preset: null,
    mapping: null,
    enabled: true,
    description: null,
    path: `/functions/v1/inbound/${source.id}`,
    has_secret: true,
    created_at: source.created_at,
    updated_at: source.updated_at,
    health: { received_24h: 0, rejected_24h: 0, refused_24h: 0, last_received_at: null },
  });
  const path = `/sources/${source.id}`;
  assert.deepEqual((await act("GET", path)).body, source);
  const mapping = { name: "/type", external_id: ["/user", "/customer"], properties: { n: "/n" } };
  const edited = await act("PATCH", path, { mapping, enabled: false, description: "x" });
  assert.deepEqual([edited.body.mapping, edited.body.enabled, edited.body.description], [
    mapping,
    false,
    "x",
  ]);
  const cleared = await act("PATCH", path, { mapping: null, preset: "resend" });
  assert.deepEqual([cleared.body.mapping, cleared.body.preset], [null, "resend"]);
  await act("POST", "/sources", { name: "Second", scheme: "stripe" });
  const list = await act("GET", "/sources?limit=1");
  assert.deepEqual(list.body.data.map(({ name }: { name: string }) => name), ["Second"]);
  const next = await act("GET", `/sources?limit=1&cursor=${list.body.next_cursor}`);
  assert.deepEqual(next.body.data.map(({ name }: { name: string }) => name), ["Shop"]);
  assert.equal((await act("DELETE", path)).status, 204);
  for (const method of ["GET", "PATCH", "DELETE"]) {
    const gone = await act(method, path, method === "PATCH" ? {} : undefined);
    assert.equal(gone.status, 404);
  }
  const actions = await world.sql`select action from public.audit_log order by id`;
  assert.deepEqual(actions.map(({ action }) => action), [
    "source.create",
    "source.update",
    "source.update",
    "source.create",
    "source.delete",
  ]);
});

Deno.test("secrets are generated if the receiver chooses them, and never stored in clear text", async () => {
  await using world = await createApiWorld();
  const act = await actAsAdmin(world);
  const made: string[] = [];
  for (const scheme of ["service", "standard-webhooks", "github"]) {
    made.push((await act("POST", "/sources", { name: "A", scheme })).body.secret);
  }
  for (const secret of made) assert.ok(secret.length > 30);
  for (const scheme of ["stripe", "shopify", "slack", "sendgrid"] as const) {
    const { body: source } = await act("POST", "/sources", { name: "A", scheme });
    assert.deepEqual([source.secret, source.has_secret], [null, false]);
    const path = `/sources/${source.id}/rotate-secret`;
    assert.equal((await act("POST", path)).status, 400);
    const { secret } = senderOf(scheme);
    const rotated = await act("POST", path, { secret, overlap_seconds: 0 });
    assert.deepEqual([rotated.body.secret, rotated.body.has_secret], [secret, true]);
    made.push(secret);
  }
  const bad = await act("POST", "/sources", { name: "A", scheme: "sendgrid", secret: "no key!!" });
  assert.deepEqual([bad.status, bad.body.details[0].field], [400, "secret"]);
  const rows = await world.sql`select ciphertext from private.inbound_secrets`;
  for (const secret of made) assert.ok(!JSON.stringify(rows).includes(secret));
  const audit = JSON.stringify(await world.sql`select * from public.audit_log`);
  for (const secret of made) assert.ok(!audit.includes(secret));
});

Deno.test("a source accepts, lists and shows its webhooks, and a rotation keeps both secrets", async () => {
  await using world = await createApiWorld();
  const act = await actAsAdmin(world);
  const sender = senderOf("stripe");
  const mapping = {
    name: { value: "invoice_paid" },
    external_id: "/user",
    properties: { n: "/n" },
  };
  const { body: source } = await act("POST", "/sources", {
    name: "Stripe",
    scheme: "stripe",
    secret: sender.secret,
    mapping,
  });
  const rotate = `/sources/${source.id}/rotate-secret`;
  await act("POST", rotate, { secret: sender.otherSecret, overlap_seconds: 3600 });
  await using inbound = await createInboundWorld({ on: world });
  const taken = await inbound.deliver({ source: { id: source.id, sender }, body });
  assert.deepEqual([taken.status, taken.body.accepted], [200, 1]);
  const refused = await inbound.post(`/inbound/${source.id}`, { body });
  assert.equal(refused.status, 401);

  const list = await act("GET", `/sources/${source.id}/receipts`);
  assert.deepEqual(list.body.data.map((each: { outcome: string }) => each.outcome), [
    "refused",
    "accepted",
  ]);
  const only = await act("GET", `/sources/${source.id}/receipts?outcome=accepted`);
  assert.equal(only.body.data.length, 1);
  const receipt = await act("GET", `/sources/${source.id}/receipts/${taken.body.receipt_id}`);
  assert.equal(receipt.body.body, body);
  assert.equal(receipt.body.results[0].name, "invoice_paid");
  const event = await act("GET", `/events/${receipt.body.results[0].event_id}`);
  assert.deepEqual(event.body.properties, { n: "820982911946154508" });
  const { body: shown } = await act("GET", `/sources/${source.id}`);
  assert.deepEqual([shown.health.received_24h, shown.health.refused_24h], [2, 1]);
});

Deno.test("a mapping is tested on a pasted or received payload, and stores nothing", async () => {
  await using world = await createApiWorld();
  const act = await actAsAdmin(world);
  const { body: source } = await act("POST", "/sources", {
    name: "Shop",
    scheme: "shopify",
    secret: senderOf("shopify").secret,
  });
  const path = `/sources/${source.id}/test`;
  const unmapped = await act("POST", path, { payload: shopifyOrder });
  assert.deepEqual(unmapped.body.results, [{
    kind: "refused",
    field: "mapping",
    error: 'Field "mapping" is missing: set a mapping or a preset on the source',
  }]);
  const pasted = await act("POST", path, {
    payload: shopifyOrder,
    preset: "shopify",
    headers: { "x-shopify-topic": "orders/create" },
  });
  const entries = pasted.body.results.map((each: { entry: unknown }) => each.entry);
  assert.deepEqual([entries[0].type, entries[1].name, entries[1].external_id], [
    "identify",
    "order_created",
    "115310627314723954",
  ]);
  await using inbound = await createInboundWorld({ on: world });
  const received = await inbound.deliver({
    source: { id: source.id, sender: senderOf("shopify") },
    body: shopifyOrder,
  });
  const { receipt_id } = received.body;
  const mapping = {
    name: "/financial_status",
    external_id: "/customer/id",
    properties: "/customer",
  };
  const tried = await act("POST", path, { receipt_id, mapping });
  assert.equal(tried.body.results[0].entry.name, "paid");
  assert.equal(tried.body.results[0].entry.properties.id, "115310627314723954");
  const misused = [
    [{}, "payload"],
    [{ payload: "{}", receipt_id }, "payload"],
    [{ payload: "{}", mapping: { name: "x" } }, "mapping.name"],
  ] as const;
  for (const [wrong, field] of misused) {
    const { status, body } = await act("POST", path, wrong);
    assert.deepEqual([status, body.details[0].field], [400, field]);
  }
  const payload = "abc";
  const unread = [
    [{ payload }, /^Field "payload" must be valid JSON: Unexpected token 'a', "abc"/],
    [{ payload, content_type: "text/csv" }, /^Field "content_type" must be that of JSON or of a/],
    [
      { payload, headers: { "content-type": "a/b" } },
      /^Field "headers\.content-type" must be that/,
    ],
  ] as const;
  for (const [wrong, error] of unread) {
    const { body } = await act("POST", path, wrong);
    assert.equal(body.code, "invalid_input");
    assert.match(body.error, error);
  }
  const events = await world.sql`select count(*)::int as n from public.events`;
  assert.equal(events[0]?.n, 0);
});

Deno.test("a source refuses the settings and secrets of another scheme", async () => {
  await using world = await createApiWorld();
  const act = await actAsAdmin(world);
  const refused = [
    [{ scheme: "hmac" }, "hmac"],
    [{ scheme: "hmac", hmac: {} }, "hmac.header"],
    [{ scheme: "hmac", hmac: { ...hmac, signed: "{timestamp}{body}" } }, "hmac.signed"],
    [{ scheme: "hmac", hmac: { ...hmac, heder: "x" } }, "hmac.heder"],
    [{ scheme: "hmac", hmac: { ...hmac, secret_encoding: "hex" }, secret: "no hex" }, "secret"],
    [{ scheme: "hmac", hmac, secret: "<client secret>" }, "secret"],
    [{ scheme: "hmac", hmac, topic_arn }, "topic_arn"],
    [{ scheme: "github", hmac }, "hmac"],
    [{ scheme: "github", secret: "<client secret>" }, "secret"],
    [{ scheme: "sns" }, "topic_arn"],
    [{ scheme: "sns", topic_arn: "arn:aws:sqs:us-east-1:123456789012:mail" }, "topic_arn"],
    [{ scheme: "sns", topic_arn: topic_arn.replace("us-east-1", "a.b/c") }, "topic_arn"],
    [{ scheme: "sns", topic_arn, secret }, "secret"],
    [{ scheme: "basic", secret: "no-colon-in-it" }, "secret"],
    [{ scheme: "basic", secret: "user:short" }, "secret"],
    [{ scheme: "mailgun", preset: "sendgrid" }, "preset"],
    [
      { scheme: "mailgun", mapping: { name: "/a", idempotency_key: "/b" } },
      "mapping.idempotency_key",
    ],
  ] as const;
  for (const [fields, field] of refused) {
    const response = await act("POST", "/sources", { name: "A", ...fields });
    assert.deepEqual(
      [response.status, response.body.details?.[0]?.field],
      [400, field],
      JSON.stringify(fields),
    );
  }
});

Deno.test("a source keeps how its sender signs, and its secret is replaced by its scheme", async () => {
  await using world = await createApiWorld();
  const act = await actAsAdmin(world);
  const made = await act("POST", "/sources", { name: "A", scheme: "hmac", hmac, secret });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.deepEqual(made.body.hmac, {
    header: "x-signature",
    algorithm: "sha256",
    encoding: "hex",
    prefix: "h1=",
    separator: ";",
    signed: "{body}",
    timestamp_unit: "seconds",
    tolerance_seconds: 300,
    secret_encoding: "text",
  });
  const path = `/sources/${made.body.id}`;
  const changed = await act("PATCH", path, { hmac: { header: "x-sum", encoding: "base64" } });
  assert.deepEqual([changed.status, changed.body.hmac.header], [200, "x-sum"]);
  for (const body of [{ hmac: null }, { topic_arn }]) {
    assert.equal((await act("PATCH", path, body)).status, 400, JSON.stringify(body));
  }
  assert.equal((await act("PATCH", path, { name: "B" })).body.hmac.encoding, "base64");
  assert.equal((await act("POST", `${path}/rotate-secret`, {})).status, 400);
  assert.equal((await act("POST", `${path}/rotate-secret`, { secret })).status, 200);

  const sns = (await act("POST", "/sources", { name: "S", scheme: "sns", topic_arn })).body;
  assert.deepEqual([sns.topic_arn, sns.has_secret, sns.secret], [topic_arn, true, null]);
  for (const body of [{}, { secret }]) {
    const response = await act("POST", `/sources/${sns.id}/rotate-secret`, body);
    assert.deepEqual([response.status, response.body.details[0].field], [400, "secret"]);
  }
  const basic = (await act("POST", "/sources", { name: "P", scheme: "basic" })).body;
  assert.match(basic.secret, /^signalpost:[0-9a-f]{48}$/);
  const mailgun = (await act("POST", "/sources", { name: "M", scheme: "mailgun" })).body;
  assert.deepEqual([mailgun.has_secret, mailgun.secret], [false, null]);
  assert.equal((await act("PATCH", `/sources/${mailgun.id}`, { preset: "resend" })).status, 400);
  const reports = { name: "R", scheme: "mailgun", preset: "mailgun" };
  assert.equal((await act("POST", "/sources", reports)).status, 201);
});

Deno.test("a mapping test reads an SNS message like its content", async () => {
  await using world = await createApiWorld();
  const act = await actAsAdmin(world);
  const { body: source } = await act("POST", "/sources", { name: "S", scheme: "sns", topic_arn });
  const { body } = await act("POST", `/sources/${source.id}/test`, {
    payload: JSON.stringify({ MessageId: "m1", Message: '{"kind":"Bounce","user":"u1"}' }),
    content_type: "text/plain; charset=UTF-8",
    mapping: { name: "/Message/kind", external_id: "/Message/user" },
  });
  const { entry } = body.results[0];
  assert.deepEqual([entry.name, entry.external_id], ["Bounce", "u1"]);
  assert.match(entry.idempotency_key, /:m1$/);
});

Deno.test("a mapping is tested on at most 500 items", async () => {
  await using world = await createApiWorld();
  const act = await actAsAdmin(world);
  const { body: source } = await act("POST", "/sources", { name: "A", scheme: "github" });
  const path = `/sources/${source.id}/test`;
  const mapping = { name: { value: "a" }, anon_id: { value: "a1" } };
  const rows = (count: number) => Array(count).fill(1);
  for (const [payload, items] of [[rows(501), {}], [{ rows: rows(501) }, { items: "/rows" }]]) {
    const body = { payload: JSON.stringify(payload), mapping: { ...mapping, ...items } };
    const response = await act("POST", path, body);
    assert.deepEqual([response.status, response.body.code], [413, "payload_too_large"]);
    assert.match(response.body.error, /must not contain over 500 items$/);
  }
  const whole = await act("POST", path, { payload: JSON.stringify(rows(500)), mapping });
  assert.deepEqual([whole.status, whole.body.results.length], [200, 500]);
});

Deno.test("invalid mappings are refused with the invalid field", async () => {
  await using world = await createApiWorld();
  const act = await actAsAdmin(world);
  const many = (count: number, value = "x") =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { value }]));
  const whole = { name: "/a", properties: { ...many(100), p0: { value: "x".repeat(1000) } } };
  assert.equal(
    (await act("POST", "/sources", {
      name: "A",
      scheme: "github",
      mapping: whole,
    })).status,
    201,
  );
  const cases = [
    [{ mapping: { external_id: "/a" } }, "mapping.name"],
    [{ mapping: { name: "a" } }, "mapping.name"],
    [{ mapping: { name: "/a", propertys: "/b" } }, "mapping.propertys"],
    [{ mapping: { name: "/a", properties: many(101) } }, "mapping.properties"],
    [{ mapping: { name: "/a", properties: many(17, "x".repeat(1000)) } }, "mapping"],
    [{ preset: "stripe" }, "preset"],
    [{ scheme: "md5" }, "scheme"],
  ] as const;
  for (const [fields, field] of cases) {
    const response = await act("POST", "/sources", { name: "A", scheme: "github", ...fields });
    assert.deepEqual([response.status, response.body.details[0].field], [400, field]);
  }
  const { body: source } = await act("POST", "/sources", {
    name: "A",
    scheme: "github",
    preset: "shopify",
    mapping: { external_id: "/a" },
  });
  const response = await act("PATCH", `/sources/${source.id}`, { preset: null });
  assert.deepEqual([response.status, response.body.details[0].field], [400, "mapping.name"]);
});

Deno.test("only admins and keys of the workspace change sources, and its members read them", async () => {
  await using world = await createApiWorld();
  const act = await actAsAdmin(world);
  const { body: source } = await act("POST", "/sources", { name: "A", scheme: "github" });
  const other = await world.createWorkspace();
  const stranger = await world.signInAs("owner", other);
  const foreignKey = await world.createKey(["sources:read", "sources:write"], other);
  const member = await world.signInAs("member");
  const viewer = await world.signInAs("viewer");
  const reader = await world.createKey(["sources:read"]);
  const writer = await world.createKey(["sources:write", "sources:read"]);
  const path = `/sources/${source.id}`;
  const { workspaceId } = world;
  const send = async (request: ApiRequest) => (await world.send(request)).status;
  for (const token of [viewer, member, reader, writer]) {
    assert.equal(
      await send({ path, token, workspaceId: token.startsWith("pk_") ? undefined : workspaceId }),
      200,
    );
  }
  for (const who of [{ token: stranger, workspaceId: other }, { token: foreignKey }]) {
    assert.equal(await send({ path, ...who }), 404);
    assert.equal(await send({ method: "PATCH", path, ...who, body: { name: "B" } }), 404);
    assert.equal(await send({ method: "DELETE", path, ...who }), 404);
    assert.equal(await send({ method: "POST", path: `${path}/rotate-secret`, ...who }), 404);
    assert.equal(await send({ path: `${path}/receipts`, ...who }), 404);
  }
  const edit = { method: "PATCH", path, body: { name: "B" } };
  assert.equal(await send({ ...edit, token: member, workspaceId }), 403);
  assert.equal(await send({ ...edit, token: reader }), 403);
  assert.equal(await send({ ...edit, token: writer }), 200);
  const rotate = { method: "POST", path: `${path}/rotate-secret` };
  assert.equal(await send({ ...rotate, token: viewer, workspaceId }), 403);
  assert.equal(await send({ ...rotate, token: writer }), 200);
  assert.equal(await send({ path }), 401);
});
