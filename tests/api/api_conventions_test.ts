import assert from "node:assert/strict";
import { scopes } from "../../supabase/functions/_shared/access/auth.ts";
import { createApiEntities } from "../../testing/access/api_entities.ts";
import { routes } from "../../supabase/functions/api/routes.ts";
import { createUuidV7 } from "../../supabase/functions/_shared/ids/uuid_v7.ts";
import { malformedStatus } from "../../testing/access/malformed_status.ts";
import { bodyOf, sampleApiCalls } from "../../testing/service/api_calls.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { createPlan } from "../../testing/data/factories.ts";

Deno.test("api calls over the quota are 429 with Retry-After, and change nothing", async () => {
  await using world = await createApiWorld();
  const planId = await createPlan(world.sql, { apiPerSecond: 1, apiBurst: 3 });
  await world.sql`update public.workspaces set plan_id = ${planId} where id = ${world.workspaceId}`;
  const token = await world.createKey(["destinations:read", "destinations:write"]);
  const body = { name: "Warehouse", url: "https://example.com/hooks", event_types: ["*"] };
  const send = () => world.send({ method: "POST", path: "/destinations", token, body });
  // At once: a slow machine would fill the bucket up again meanwhile.
  const responses = await Promise.all([send(), send(), send(), send()]);
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 201, 201, 429]);
  const refused = responses.find(({ status }) => status === 429)!;
  assert.equal(refused.body.code, "rate_limited");
  assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  assert.equal(refused.headers.get("ratelimit-limit"), "3");
  assert.equal(refused.headers.get("ratelimit-remaining"), "0");
  const rows = await world.sql`select from public.destinations`;
  assert.equal(rows.length, 3);
});

Deno.test("a stranger does not draw on a workspace's quota", async () => {
  await using world = await createApiWorld();
  const stranger = await world.sessions.sign(await world.createUser());
  const { workspaceId } = world;
  const response = await world.send({ path: "/customers", token: stranger, workspaceId });
  assert.equal(response.status, 404);
  const buckets = await world.sql`
    select from private.rate_limit_buckets where workspace_id = ${workspaceId}`;
  assert.equal(buckets.length, 0);
});

Deno.test("api responds to preflights of any origin", async () => {
  await using world = await createApiWorld();
  const response = await world.send({
    method: "OPTIONS",
    path: "/customers",
    headers: {
      "origin": "https://shop.example",
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "authorization,x-workspace-id",
    },
  });
  assert.equal(response.status, 204);
  assert.equal(response.headers.get("access-control-allow-origin"), "*");
  assert.match(response.headers.get("access-control-allow-headers") ?? "", /x-workspace-id/i);
});

Deno.test("api refuses other methods, other media types and other routes", async () => {
  await using world = await createApiWorld();
  const token = await world.createKey([...scopes]);
  const put = await world.send({ method: "PUT", path: "/destinations", token });
  assert.equal(put.status, 405);
  assert.deepEqual(put.headers.get("allow")?.split(", ").toSorted(), ["GET", "POST"]);
  const html = await world.send({
    method: "POST",
    path: "/destinations",
    token,
    body: {},
    headers: { "content-type": "text/html" },
  });
  assert.equal(html.status, 415);
  const nowhere = await world.send({ path: "/nowhere", token });
  assert.deepEqual([nowhere.status, nowhere.body.code], [404, "not_found"]);
});

Deno.test("a call that takes no body refuses one with fields, and does nothing", async () => {
  await using world = await createApiWorld();
  const { destinationId, workspaceId } = await createApiEntities(world);
  const token = await world.signInAs("owner", workspaceId);
  const path = `/destinations/${destinationId}/discard`;
  const send = (body?: unknown) => world.send({ method: "POST", path, token, workspaceId, body });
  const countJobs = async () => (await world.sql`select from public.jobs`).length;
  const before = await countJobs();
  const { status, body } = await send({ until: "2020-01-01T00:00:00Z" });
  assert.equal(status, 400);
  assert.equal(body.error, 'Field "until" is unknown: check its spelling');
  assert.equal((await send([])).status, 400);
  assert.equal(await countJobs(), before);
  assert.notEqual((await send({})).status, 400);
  assert.notEqual((await send()).status, 400);
});

Deno.test("api names each invalid field", async () => {
  await using world = await createApiWorld();
  const token = await world.createKey([...scopes]);
  const { body, status } = await world.send({
    method: "POST",
    path: "/destinations",
    token,
    body: { url: 7, event_types: ["a*b"], max_concurrency: 0, colour: "red" },
  });
  assert.equal(status, 400);
  assert.deepEqual(
    body.details.map(({ field, message }: { field: string; message: string }) => [field, message]),
    [
      ["name", "is required"],
      ["url", "must be a string"],
      ["event_types[0]", 'must be a type, a prefix ending in "*", or "*"'],
      ["max_concurrency", "must be a whole number from 1 to 100"],
      ["colour", "is unknown: check its spelling"],
    ],
  );
});

Deno.test("a time outside the years 1970 to 9999 of UTC is refused with its field", async () => {
  await using world = await createApiWorld();
  const { destinationId, workspaceId } = await createApiEntities(world);
  const token = await world.signInAs("owner", workspaceId);
  const destination = `/destinations/${destinationId}`;
  const outside = [
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+15:00",
    "1970-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-15:59",
  ];
  const send = (path: string, at: string) => {
    return world.send({ path: `${path}=${encodeURIComponent(at)}`, token, workspaceId });
  };
  const queries = [
    "/events?since",
    "/deliveries?until",
    "/audit-log?since",
    "/sends?until",
    "/usage?until",
  ];
  for (const at of outside) {
    for (const path of [...queries, `${destination}/stats?interval=day&until`]) {
      const { status, body } = await send(path, at);
      assert.deepEqual([status, body.details[0].field], [400, path.split(/[?&]/).at(-1)], path);
    }
    const bodies = {
      [`${destination}/replay`]: { since: at },
      [`${destination}/replay-preview`]: { since: at },
      [`${destination}/recover`]: { since: at },
      "/api-keys": { name: "x", scopes: ["track:write"], expires_at: at },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const response = await world.send({ method: "POST", path, token, workspaceId, body });
      assert.deepEqual([response.status, response.body.code], [400, "invalid_input"], path);
      assert(response.body.details[0].field in body);
    }
  }
  for (const at of ["1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"]) {
    for (const path of [...queries.slice(0, 4), `${destination}/stats?interval=day&until`]) {
      assert.equal((await send(path, at)).status, 200, `${path} ${at}`);
    }
  }
});

Deno.test("routes that act on a range refuse one that ends before it begins", async () => {
  await using world = await createApiWorld();
  const { destinationId, workspaceId } = await createApiEntities(world);
  const token = await world.signInAs("member", workspaceId);
  const destination = `/destinations/${destinationId}`;
  const [before, after] = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"];
  const replay = (since: string, until: string) => {
    const body = { since, until };
    const path = `${destination}/replay`;
    return world.send({ method: "POST", path, token, workspaceId, body });
  };
  const query = `?since=${after}&until=${before}`;
  const responses = [
    await replay(after, before),
    await replay(before, before),
    await world.send({ path: `/usage${query}`, token, workspaceId }),
    await world.send({ path: `${destination}/stats${query}`, token, workspaceId }),
  ];
  for (const { status, body } of responses) {
    assert.equal(status, 400);
    assert.deepEqual(body.details, [{ field: "since", message: "must be before until" }]);
  }
  assert.equal((await replay(before, after)).status, 202);
  const list = await world.send({ path: `/events${query}`, token, workspaceId });
  assert.deepEqual([list.status, list.body.data], [200, []]);
});

Deno.test("a destination's URL is refused if it must not receive messages", async () => {
  await using world = await createApiWorld();
  const token = await world.createKey([...scopes]);
  const urls = [
    "ftp://example.com",
    "https://user:secret@example.com/",
    "https://169.254.169.254/latest",
    "https://[::ffff:10.0.0.1]/",
    "https://example.com:22/",
    "not a url",
  ];
  for (const url of urls) {
    const body = { name: "x", url, event_types: ["*"] };
    const response = await world.send({ method: "POST", path: "/destinations", token, body });
    assert.equal(response.status, 400, url);
    assert.equal(response.body.details[0].field, "url");
  }
});

Deno.test("a secret is shown only at creation and rotation, and never stored in clear text", async () => {
  await using world = await createApiWorld();
  const token = await world.createKey([...scopes]);
  const body = { name: "x", url: "https://example.com/", event_types: ["*"] };
  const made = await world.send({ method: "POST", path: "/destinations", token, body });
  const path = `/destinations/${made.body.id}`;
  const rotated = await world.send({ method: "POST", path: `${path}/rotate-secret`, token });
  assert.match(made.body.secret, /^whsec_/);
  assert.notEqual(rotated.body.secret, made.body.secret);
  const read = await world.send({ path, token });
  assert.equal("secret" in read.body, false);
  const rows = await world.sql<{ text: string; expires_at: Date | null }[]>`
    select s::text as text, s.expires_at from private.destination_secrets as s
    order by s.created_at`;
  assert.equal(rows.length, 2);
  const remaining = rows[0]!.expires_at!.getTime() - Date.now();
  assert(Math.abs(remaining - 86_400_000) < 60_000, "the old one stays for 24 h");
  const log = await world.sql<
    { text: string }[]
  >`select a::text as text from public.audit_log as a`;
  for (const { text } of [...rows, ...log]) {
    assert(!text.includes(made.body.secret) && !text.includes(rotated.body.secret));
  }
});

Deno.test("an optional body counts as omitted only when it is empty", async () => {
  await using world = await createApiWorld();
  const { destinationId, workspaceId } = await createApiEntities(world);
  const token = await world.signInAs("admin", workspaceId);
  const path = `/destinations/${destinationId}/rotate-secret`;
  const send = (body: string, headers: Record<string, string> = {}) => {
    const raw = new TextEncoder().encode(body);
    return world.send({ method: "POST", path, token, workspaceId, raw, headers });
  };
  const json = { "content-type": "application/json" };
  const text = JSON.stringify({ overlap_seconds: 0 });
  const refused = [await send(text), await send("x"), await send(text, { "content-type": "a/b" })];
  assert.deepEqual(refused.map(({ status }) => status), [415, 415, 415]);
  assert.equal((await send("x", json)).body.code, "invalid_json");
  const secrets = await world.sql`select from private.destination_secrets`;
  assert.equal(secrets.length, 0, "nothing was rotated");
  for (const headers of [{}, json]) assert.equal((await send("", headers)).status, 200);
  assert.equal((await send(text, json)).status, 200);
  const live = await world.sql`
    select from private.destination_secrets where expires_at is null or expires_at > now()`;
  assert.equal(live.length, 1, "an overlap of 0 ends the old ones at once");
});

Deno.test("an edit keeps omitted fields and clears null ones, also within attributes", async () => {
  await using world = await createApiWorld();
  const { customerId, workspaceId } = await createApiEntities(world);
  const token = await world.createKey(["customers:read", "customers:write"], workspaceId);
  const path = `/customers/${customerId}`;
  const edit = { first_name: null, country: "gb", attributes: { tier: null, seats: 2 } };
  const { body } = await world.send({ method: "PATCH", path, token, body: edit });
  assert.deepEqual(
    [body.first_name, body.last_name, body.country, body.attributes],
    [null, "Lovelace", "GB", { seats: 2 }],
  );
  const messages = await world.sql<{ body: string }[]>`
    select body from public.webhook_messages where event_type = 'customer.updated'
    order by created_at desc limit 1`;
  const { payload } = JSON.parse(messages[0]!.body);
  assert.deepEqual(payload.changed, ["first_name", "country", "attributes"]);
  assert.deepEqual(payload.customer, body);
});

Deno.test("an edit whose attributes are null clears them all", async () => {
  await using world = await createApiWorld();
  const { customerId, workspaceId } = await createApiEntities(world);
  const token = await world.createKey(["customers:read", "customers:write"], workspaceId);
  const path = `/customers/${customerId}`;
  await world.send({ method: "PATCH", path, token, body: { attributes: { tier: "gold" } } });
  const edit = { attributes: null };
  const { body } = await world.send({ method: "PATCH", path, token, body: edit });
  assert.deepEqual([body.last_name, body.attributes], ["Lovelace", {}]);
});

Deno.test("waiting messages have a next attempt only while their destination is enabled", async () => {
  await using world = await createApiWorld();
  const { destinationId, workspaceId } = await createApiEntities(world);
  const token = await world.createKey(["destinations:read", "destinations:write"], workspaceId);
  const path = `/destinations/${destinationId}`;
  const { body: { health } } = await world.send({ path, token });
  assert(health.pending > 0);
  assert.notEqual(health.next_attempt_at, null);
  const body = { enabled: false };
  const disabled = await world.send({ method: "PATCH", path, token, body });
  assert.deepEqual(
    [disabled.body.health.pending, disabled.body.health.next_attempt_at],
    [health.pending, null],
  );
});

Deno.test("the audit log lists actors and actions, newest first", async () => {
  await using world = await createApiWorld();
  const { customerId, destinationId, workspaceId } = await createApiEntities(world);
  const admin = await world.signInAs("admin", workspaceId);
  const key = await world.createKey(["customers:write"], workspaceId);
  const requestId = crypto.randomUUID();
  await world.send({
    method: "PATCH",
    path: `/destinations/${destinationId}`,
    token: admin,
    workspaceId,
    body: { description: "hush" },
    headers: { "x-request-id": requestId },
  });
  await world.send({ method: "DELETE", path: `/customers/${customerId}`, token: key });
  const { body } = await world.send({ path: "/audit-log", token: admin, workspaceId });
  const [erased, updated] = body.data;
  assert.deepEqual([erased.action, erased.entity_id], ["customer.erase", customerId]);
  assert.equal(erased.entity_name, null);
  assert.deepEqual([erased.actor.kind, erased.actor.name], ["api_key", "Test"]);
  assert.deepEqual([updated.action, updated.entity_id], ["destination.update", destinationId]);
  assert.deepEqual([updated.actor.kind, updated.request_id], ["user", requestId]);
  assert.deepEqual(updated.details, {
    fields: ["description"],
    changes: { description: { before: null, after: "hush" } },
  });
  const query = "?action=customer.erase";
  const filtered = await world.send({ path: `/audit-log${query}`, token: admin, workspaceId });
  assert.equal(filtered.body.data.length, 1);
  const byKey = `?actor_id=${erased.actor.id}`;
  const ofKey = await world.send({ path: `/audit-log${byKey}`, token: admin, workspaceId });
  assert.deepEqual(ofKey.body.data, [erased]);
});

Deno.test("the audit log names what was changed, as it is called now or was when it was deleted", async () => {
  await using world = await createApiWorld();
  const { customerId, destinationId, sourceId, workspaceId } = await createApiEntities(world);
  const owner = await world.signInAs("owner", workspaceId);
  const call = (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token: owner, workspaceId, ...body !== undefined && { body } });
  const change = { description: "changed" };
  await call("PATCH", `/customers/${customerId}`, { first_name: "Ada", last_name: "Byron" });
  await call("PATCH", `/destinations/${destinationId}`, { name: "Renamed" });
  await call("PATCH", `/sources/${sourceId}`, { ...change, name: "Old source" });
  await call("DELETE", `/sources/${sourceId}`);
  const invited = await call("POST", "/members", { email: "eve@example.com", role: "viewer" });
  const key = await call("POST", "/api-keys", { name: "Site", scopes: ["track:write"] });
  await call("DELETE", `/api-keys/${key.body.id}`);
  await call("PATCH", `/workspaces/${workspaceId}`, { name: "Acme Europe" });
  const { body } = await call("GET", "/audit-log");
  const named = body.data.map((entry: Record<string, unknown>) => [
    entry.action,
    entry.entity_id,
    entry.entity_name,
  ]);
  assert.deepEqual(named, [
    ["workspace.update", workspaceId, "Acme Europe"],
    ["api_key.revoke", key.body.id, "Site"],
    ["api_key.create", key.body.id, "Site"],
    ["member.invite", invited.body.id, "eve@example.com"],
    ["source.delete", sourceId, "Old source"],
    ["source.update", sourceId, null],
    ["destination.update", destinationId, "Renamed"],
    ["customer.update", customerId, "Ada Byron"],
    ["member.withdraw", null, null],
  ]);
});

Deno.test("a change that fails leaves no entry in the audit log", async () => {
  await using world = await createApiWorld();
  const { destinationId, workspaceId, auditEntryId } = await createApiEntities(world);
  const token = await world.createKey(["destinations:write"], workspaceId);
  await world.sql`update public.destinations set enabled = false where id = ${destinationId}`;
  const path = `/destinations/${destinationId}/replay`;
  const body = { since: "2026-01-01T00:00:00Z" };
  const response = await world.send({ method: "POST", path, token, body });
  assert.deepEqual([response.status, response.body.code], [409, "conflict"]);
  const rows = await world.sql<{ id: string }[]>`select a.id from public.audit_log as a`;
  assert.deepEqual(rows.map(({ id }) => id), [auditEntryId]);
});

Deno.test("a malformed id gets the same 404 as an unknown one, with the entity's name", async (t) => {
  await using world = await createApiWorld();
  const entities = await createApiEntities(world);
  const { workspaceId } = entities;
  const token = await world.signInAs("owner", workspaceId);
  for (const route of routes) {
    const { operationId, method, params } = route;
    const sample = sampleApiCalls[operationId]!;
    // A PUT creates what has no entity yet: each text is the key of a new one.
    if (params === undefined || (method === "PUT" && sample.entity === undefined)) continue;
    await t.step(operationId, async () => {
      const body = bodyOf(sample, entities);
      const send = (id: string) =>
        world.send({ method, path: sample.path(id, entities), token, workspaceId, body });
      const [unknown, malformed] = [await send(createUuidV7(new Date())), await send("-nonsense")];
      assert.deepEqual([unknown.status, malformed.status], [404, malformedStatus(route)]);
      if (malformed.status === 404) assert.equal(malformed.body.error, unknown.body.error);
    });
  }
});
