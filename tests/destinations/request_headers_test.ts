import assert from "node:assert/strict";
import { createSecretBox } from "../../supabase/functions/_shared/secrets/secrets.ts";
import { createReencrypt } from "../../supabase/functions/webhook-dispatch/reencrypt.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import type { ReceivedRequest } from "../../testing/receivers/receiver.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import {
  connectDispatch,
  createDispatchWorld,
  type DispatchWorld,
} from "../../testing/service/dispatch_world.ts";

/** The key of the api of tests. */
const apiSecretsKey = btoa(String.fromCharCode(...new Uint8Array(32)));
const endsAtOnce = { lingerMs: 0, horizonMs: 0 };
const secret = "Bearer 5cb0d1f4-s3cret-9b7e";

interface HeadersWorld extends AsyncDisposable {
  dispatch: DispatchWorld;
  api: ApiWorld;
  token: string;
  /** Creates a destination, or fails. */
  create(body: object): Promise<string>;
  /** Sends a request about a destination. */
  call(method: string, path: string, body?: unknown): ReturnType<ApiWorld["send"]>;
  /** Sends everything that is due. */
  deliver(key?: string): Promise<void>;
}

async function createHeadersWorld(): Promise<HeadersWorld> {
  await using stack = new AsyncDisposableStack();
  const dispatch = stack.use(await createDispatchWorld());
  const { db, workspaceId } = dispatch;
  const api = stack.use(await createApiWorld({ db, now: () => dispatch.clock.now }));
  const scopes = ["destinations:read", "destinations:write", "deliveries:read", "deliveries:write"];
  const token = await api.createKey(scopes as Parameters<ApiWorld["createKey"]>[0], workspaceId);
  const call = (method: string, path: string, body?: unknown) =>
    api.send({ method, path, token, body });
  const kept = stack.move();
  return {
    dispatch,
    api,
    token,
    call,
    async create(body) {
      const given = { name: "Warehouse", event_types: ["order_created"], ...body };
      const response = await call("POST", "/destinations", given);
      assert.equal(response.status, 201, JSON.stringify(response.body));
      return response.body.id;
    },
    async deliver(key = apiSecretsKey) {
      // The api queues by the clock of the database.
      dispatch.clock.now = new Date(Math.max(Date.now(), +dispatch.clock.now) + 1_000);
      await dispatch.makeDispatcher(endsAtOnce, await createSecretBox(key)).wake();
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function valuesOf({ headers }: ReceivedRequest, name: string): string[] {
  return headers.filter((header) => header[0].toLowerCase() === name.toLowerCase())
    .map((header) => header[1]);
}

Deno.test("every request to a destination has its headers: event, retry, replay, ping and test", async () => {
  await using world = await createHeadersWorld();
  const receiver = await world.dispatch.receive({ behaviour: respond(500) });
  const url = `http://127.0.0.1:${receiver.port}/`;
  const headers = `{"Authorization": "${secret}", "X-Env": "prod", "__proto__": "kept"}`;
  const id = await world.create({ url, headers: JSON.parse(headers) });

  await world.dispatch.publish("order_created", { n: 1 });
  await world.deliver();
  receiver.use(respond(200));
  world.dispatch.clock.advance(60_000);
  await world.deliver();
  const [first] = await world.dispatch.deliveries();
  for (
    const [path, body] of [
      [`/deliveries/${first!.id}/replay`, undefined],
      [`/destinations/${id}/test`, undefined],
      [`/destinations/${id}/test`, { event_type: "order_created", payload: { n: 2 } }],
    ] as const
  ) {
    const response = await world.call("POST", path, body);
    assert.equal(response.status, 202, JSON.stringify(response.body));
    await world.deliver();
  }

  assert.equal(receiver.requests.length, 5);
  for (const request of receiver.requests) {
    assert.deepEqual(valuesOf(request, "authorization"), [secret]);
    assert.deepEqual(valuesOf(request, "x-env"), ["prod"]);
    assert.deepEqual(valuesOf(request, "__proto__"), ["kept"]);
    assert.equal(valuesOf(request, "webhook-signature").length, 1);
    assert.deepEqual(valuesOf(request, "content-type"), ["application/json"]);
  }
});

Deno.test("a change sets, keeps and removes headers by name, without regard to case", async () => {
  await using world = await createHeadersWorld();
  const receiver = await world.dispatch.receive();
  const url = `http://127.0.0.1:${receiver.port}/`;
  const id = await world.create({ url, headers: { "X-Kept": "a", "X-Old": "b", "X-Gone": "c" } });
  const change = async (body: object) => {
    const response = await world.call("PATCH", `/destinations/${id}`, body);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    await world.dispatch.publish("order_created", {});
    await world.deliver();
    const sent = receiver.requests.at(-1)!;
    return [
      response.body.header_names,
      ["x-kept", "x-old", "x-gone", "x-new"].map((name) => valuesOf(sent, name).join("|")),
    ];
  };

  assert.deepEqual(await change({ name: "Renamed" }), [
    ["X-Gone", "X-Kept", "X-Old"],
    ["a", "b", "c", ""],
  ]);
  const headers = { "x-old": "d", "X-GONE": null, "X-New": "e", "X-Never": null };
  assert.deepEqual(await change({ headers }), [
    ["X-Kept", "X-New", "x-old"],
    ["a", "d", "", "e"],
  ]);
  assert.deepEqual(await change({ headers: {} }), [
    ["X-Kept", "X-New", "x-old"],
    ["a", "d", "", "e"],
  ]);
  const none = { "X-Kept": null, "X-New": null, "x-old": null };
  assert.deepEqual(await change({ headers: none }), [[], ["", "", "", ""]]);
});

Deno.test("a value is kept only for the origin of the URL that it was given for", async () => {
  await using world = await createHeadersWorld();
  const id = await world.create({
    url: "https://a.example.com/one",
    headers: { Authorization: secret, "X-Env": "prod" },
  });
  const path = `/destinations/${id}`;
  const url = "https://b.example.com/one";

  const refused = await world.call("PATCH", path, { url, headers: { "x-env": "test" } });
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body.details, [{
    field: "headers.Authorization",
    message: "must be given again or removed, because the origin of the URL changes",
  }]);
  const moved = { url: "https://a.example.com/two" };
  assert.equal((await world.call("PATCH", path, moved)).status, 200);
  const removed = { url, headers: { "X-Env": "test", authorization: null } };
  const response = await world.call("PATCH", path, removed);
  assert.deepEqual(response.body.header_names, ["X-Env"]);
});

Deno.test("changes that add up to more than 20 headers are refused, also at the same time", async () => {
  await using world = await createHeadersWorld();
  const named = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}-${n}`, "1"]));
  const id = await world.create({ url: "https://a.example.com/", headers: named("A", 12) });
  const path = `/destinations/${id}`;
  const responses = await Promise.all(
    ["B", "C"].map((prefix) => world.call("PATCH", path, { headers: named(prefix, 8) })),
  );
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400]);
  assert.deepEqual(responses.find(({ status }) => status === 400)!.body.details, [
    { field: "headers", message: "must leave the destination at most 20 headers" },
  ]);
  const swapped = { headers: { "A-0": null, Z: "1" } };
  assert.equal((await world.call("PATCH", path, swapped)).body.header_names.length, 20);
});

Deno.test("all headers of a destination have at most 8 KiB", async () => {
  await using world = await createHeadersWorld();
  const large = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, "1".repeat(2_000)]));
  const id = await world.create({ url: "https://a.example.com/", headers: large(2) });
  const path = `/destinations/${id}`;
  const refused = await world.call("PATCH", path, { headers: large(4) });
  assert.equal(refused.status, 400);
  assert.equal(refused.body.details[0].field, "headers");
  const small = Object.fromEntries(Array.from({ length: 18 }, (_, n) => [`Y-${n}`, "1"]));
  const names = (await world.call("PATCH", path, { headers: small })).body.header_names;
  assert.equal(names.length, 20);
});

Deno.test("values appear in no response, log, audit entry, table or export", async () => {
  await using world = await createHeadersWorld();
  const { sql, lines } = world.dispatch;
  const receiver = await world.dispatch.receive({ behaviour: respond(200, { body: secret }) });
  const url = `http://127.0.0.1:${receiver.port}/`;
  const id = await world.create({ url, headers: { Authorization: secret } });
  const path = `/destinations/${id}`;
  const texts = [
    await world.call("GET", path),
    await world.call("PATCH", path, { headers: { Authorization: secret, "X-New": "x" } }),
    await world.call("GET", "/destinations"),
    await world.call("POST", `${path}/rotate-secret`, {}),
  ].map(({ body }) => JSON.stringify(body));
  await world.dispatch.publish("order_created", {});
  await world.deliver();
  assert.equal(valuesOf(receiver.requests[0]!, "authorization")[0], secret);
  texts.push(JSON.stringify(lines), JSON.stringify(await world.dispatch.deliveries()));
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', t.schemaname, t.tablename) as name from pg_tables as t
    where t.schemaname in ('public', 'private', 'ops')`;
  for (const { name } of tables) {
    const rows = await sql.unsafe(`select to_jsonb(t)::text as text from ${name} as t`);
    texts.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  assert.deepEqual(texts.filter((text) => text.includes("s3cret")), []);

  const entries = await sql<{ action: string; details: Record<string, unknown> }[]>`
    select action, details from public.audit_log where entity_id = ${id} order by id`;
  assert.deepEqual(entries.map(({ action, details }) => [action, details.headers]), [
    ["destination.create", { added: ["Authorization"] }],
    ["destination.update", { added: ["X-New"], changed: ["Authorization"] }],
    ["destination.rotate_secret", undefined],
  ]);
});

Deno.test("a change of the encryption key re-encrypts headers, and a deleted destination leaves none", async () => {
  await using world = await createHeadersWorld();
  const { sql, db } = world.dispatch;
  const receiver = await world.dispatch.receive();
  const url = `http://127.0.0.1:${receiver.port}/`;
  const id = await world.create({ url, headers: { Authorization: secret } });
  const next = btoa("0123456789abcdef0123456789abcdef");
  const box = await createSecretBox(`${next},${apiSecretsKey}`);
  const dispatchSql = connectDispatch(db.url);
  const log = createLog({ name: "webhook-dispatch", write: () => {} });
  for await (const _ of createReencrypt({ sql: dispatchSql, secrets: box, log })());
  await dispatchSql.end();
  const keys = await sql`select distinct key_id from private.destination_headers`;
  assert.deepEqual(keys.map(({ key_id }) => key_id), [box.keyIds[0]]);

  await world.dispatch.publish("order_created", {});
  await world.deliver(next);
  assert.deepEqual(valuesOf(receiver.requests[0]!, "authorization"), [secret]);

  assert.equal((await world.call("DELETE", `/destinations/${id}`)).status, 204);
  assert.deepEqual([...await sql`select from private.destination_headers`], []);
});

Deno.test("a ciphertext of another destination is not sent, and nothing else is", async () => {
  await using world = await createHeadersWorld();
  const receiver = await world.dispatch.receive();
  const url = `http://127.0.0.1:${receiver.port}/`;
  const other = await world.create({ url, headers: { "X-Key": "theirs" }, enabled: false });
  const id = await world.create({ url, headers: { "X-Key": "ours" } });
  await world.dispatch.sql`
    update private.destination_headers as h set ciphertext = o.ciphertext
    from private.destination_headers as o
    where h.destination_id = ${id} and o.destination_id = ${other}`;
  await world.dispatch.publish("order_created", {});
  await world.deliver();
  assert.equal(receiver.requests.length, 0);
  const failed = world.dispatch.lines.filter(({ msg }) => msg === "sign_failed");
  assert.deepEqual(failed.map(({ destination_id }) => destination_id), [id]);
});

Deno.test("the database itself refuses headers that the service sends", async () => {
  await using world = await createHeadersWorld();
  const id = await world.create({ url: "https://a.example.com/" });
  for (const name of ["WebHook-Id", "HOST", "X-Service-Event", "X Key", "X\r\nY", "Proxy-X", ""]) {
    await assert.rejects(
      world.dispatch.sql`
        insert into private.destination_headers (workspace_id, destination_id, name, ciphertext)
        values (${world.dispatch.workspaceId}, ${id}, ${name}, 'v1.a.b')`,
      /destination_headers_name_check/,
      name,
    );
  }
});
