import assert from "node:assert/strict";
import { scopes } from "../../supabase/functions/_shared/access/auth.ts";
import { version } from "../../supabase/functions/_shared/config/version.ts";
import { ApiCallError, createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { maxKeptBytes } from "../../supabase/functions/api/kernel/idempotency.ts";
import { routes } from "../../supabase/functions/api/routes.ts";
import { bodyOf, sampleApiCalls } from "../../testing/service/api_calls.ts";
import { createApiEntities } from "../../testing/access/api_entities.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { lockIsAwaited, lockTable } from "../../testing/postgres/locks.ts";

const path = "/destinations";
const destination = { name: "Warehouse", url: "https://example.com/hooks", event_types: ["*"] };

async function createKeyedWorld() {
  const world = await createApiWorld();
  const token = await world.createKey([...scopes]);
  const post = (key: string, body: unknown = destination, options = {}) => {
    const headers = { "idempotency-key": key };
    return world.send({ method: "POST", path, token, body, headers, ...options });
  };
  const count = async () => (await world.sql`select from public.destinations`).length;
  return {
    world,
    token,
    post,
    count,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Everything that a POST may add rows to, counted. */
async function countRows({ sql }: ApiWorld): Promise<unknown> {
  return await sql`
    select
      (select count(*) from public.workspaces) as workspaces,
      (select count(*) from public.workspace_members) as members,
      (select count(*) from public.invitations) as invitations,
      (select count(*) from private.api_keys) as api_keys,
      (select count(*) from public.destinations) as destinations,
      (select count(*) from private.destination_secrets) as destination_secrets,
      (select count(*) from public.inbound_sources) as sources,
      (select count(*) from private.inbound_secrets) as source_secrets,
      (select count(*) from public.device_tokens) as device_tokens,
      (select count(*) from public.webhook_messages) as messages,
      (select count(*) from private.webhook_queue) as queue,
      (select count(*) from public.jobs) as jobs,
      (select count(*) from public.events) as events,
      (select count(*) from public.audit_log) as audit`;
}

Deno.test("every POST with an Idempotency-Key runs once and repeats its response", async (t) => {
  await using world = await createApiWorld();
  for (const route of routes.filter(({ method, isDry }) => method === "POST" && !isDry)) {
    await t.step(route.operationId, async () => {
      const entities = await createApiEntities(world);
      const token = await world.signInAs("owner", entities.workspaceId);
      const call = sampleApiCalls[route.operationId]!;
      const request = {
        method: "POST",
        path: call.path(
          await call.makeOwn?.(world, token) ?? call.entity?.(entities) ?? "",
          entities,
        ),
        body: bodyOf(call, entities),
        token,
        workspaceId: entities.workspaceId,
        headers: { "idempotency-key": `once ${route.operationId}` },
      };
      const first = await world.send(request);
      assert.equal(first.status, route.status, JSON.stringify(first.body));
      assert.equal(first.headers.get("idempotent-replayed"), null);
      const before = await countRows(world);
      const repeat = await world.send(request);
      assert.deepEqual([repeat.status, repeat.body], [first.status, first.body]);
      assert.equal(repeat.headers.get("idempotent-replayed"), "true");
      assert.deepEqual(await countRows(world), before);
    });
  }
});

Deno.test("a POST that changes nothing runs again for its Idempotency-Key, and stores no response", async () => {
  await using world = await createApiWorld();
  const { sourceId, workspaceId } = await createApiEntities(world);
  const token = await world.createKey([...scopes], workspaceId);
  const test = (email: string) =>
    world.send({
      method: "POST",
      path: `/sources/${sourceId}/test`,
      token,
      body: {
        preset: null,
        mapping: { name: { value: "seen" }, external_id: "/id", properties: { email: "/email" } },
        payload: JSON.stringify({ id: "u1", email }),
      },
      headers: { "idempotency-key": "dry" },
    });
  const [first, repeat] = [await test("ada@example.com"), await test("ada@example.com")];
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.deepEqual([repeat.status, repeat.body], [200, first.body]);
  assert.equal(repeat.headers.get("idempotent-replayed"), null);
  const runs = await world.sql`select from public.audit_log as a where a.action = 'source.test'`;
  assert.equal(runs.length, 2);
  const kept = await world.sql`select r.response from private.idempotent_requests as r`;
  assert.deepEqual(kept.map(({ response }) => response), [null]);
  const other = await test("bob@example.com");
  assert.deepEqual([other.status, other.body.code], [409, "conflict"]);
});

Deno.test("a response over 64 KiB is stored if it is shorter when compressed", async () => {
  await using keyed = await createKeyedWorld();
  const wanting = (letter: string) => ({
    ...destination,
    event_types: Array.from({ length: 100 }, (_, i) => `${i}${letter.repeat(198)}`),
  });
  for (const [n, letter] of ["€", "😀"].entries()) {
    const first = await keyed.post(letter === "€" ? "fits" : "over", wanting(letter));
    assert.equal(first.status, 201);
    const again = await keyed.post(letter === "€" ? "fits" : "over", wanting(letter));
    assert.deepEqual([again.status, again.body], [201, first.body]);
    assert.equal(await keyed.count(), n + 1);
  }
});

Deno.test("a response that stays over 64 KiB is not stored: the call is 413 and changes nothing", async () => {
  await using keyed = await createKeyedWorld();
  const html = Array.from({ length: 3_000 }, () => crypto.randomUUID()).join(" ");
  const create = (text: string) =>
    keyed.post("a", { name: "Long", subject: "Hello", html: text }, { path: "/templates" });
  const over = await create(html);
  assert.deepEqual([over.status, over.body.code], [413, "payload_too_large"]);
  assert.match(over.body.error, /^Response is over 65536 bytes/);
  assert.equal((await keyed.world.sql`select from public.templates`).length, 0);
  assert.equal((await create("<p>Hello</p>")).status, 201);
});

Deno.test("the response to 500 resent entries is short enough to be stored", () => {
  const id = crypto.randomUUID();
  const result = { event_id: id, customer_id: id, duplicate: true };
  const response = JSON.stringify({ results: Array.from({ length: 500 }, () => result) });
  assert(response.length <= maxKeptBytes, `${response.length} bytes`);
});

Deno.test("an Idempotency-Key with a different body or route is 409, and nothing is stored", async () => {
  await using keyed = await createKeyedWorld();
  assert.equal((await keyed.post("a")).status, 201);
  const other = await keyed.post("a", { ...destination, name: "Lake" });
  assert.deepEqual([other.status, other.body.code], [409, "conflict"]);
  assert.match(other.body.error, /^Idempotency-Key "a" was used for a different request/);
  const source = await keyed.post("a", { name: "Shop", scheme: "stripe" }, { path: "/sources" });
  assert.equal(source.status, 409);
  assert.equal(await keyed.count(), 1);
});

Deno.test("concurrent calls with one Idempotency-Key run once", async () => {
  await using keyed = await createKeyedWorld();
  const responses = await (async () => {
    await using _lock = await lockTable(keyed.world.sql, "public.destinations");
    const first = keyed.post("race");
    await lockIsAwaited(keyed.world.sql, 1);
    const second = keyed.post("race");
    await lockIsAwaited(keyed.world.sql, 2);
    return [first, second];
  })();
  const [first, second] = await Promise.all(responses);
  assert.deepEqual([first!.status, second!.status], [201, 201]);
  assert.deepEqual(second!.body, first!.body);
  assert.equal(await keyed.count(), 1);
});

Deno.test("a failed call leaves its Idempotency-Key free", async () => {
  await using keyed = await createKeyedWorld();
  const invalid = await keyed.post("k", { ...destination, url: "http://" });
  assert.equal(invalid.status, 400);
  const missing = await keyed.post("k", {}, { path: `/destinations/${crypto.randomUUID()}/test` });
  assert.equal(missing.status, 404);
  assert.equal((await keyed.post("k")).status, 201);
});

Deno.test("an Idempotency-Key is valid per workspace and caller", async () => {
  await using keyed = await createKeyedWorld();
  const { world, token } = keyed;
  const first = await keyed.post("shared");
  const otherKey = await keyed.post("shared", destination, {
    token: await world.createKey([...scopes]),
  });
  assert.notEqual(otherKey.body.id, first.body.id);
  const { body: { id } } = await keyed.post("shared", destination, { token });
  assert.equal(id, first.body.id);

  const userId = await world.createUser();
  const session = await world.sessions.sign(userId);
  const create = (name: string) => {
    const headers = { "idempotency-key": "mine" };
    return world.send({
      method: "POST",
      path: "/workspaces",
      token: session,
      body: { name },
      headers,
    });
  };
  const [one, again] = [await create("One"), await create("One")];
  assert.deepEqual([again.status, again.body.id], [201, one.body.id]);
  const other = await world.createWorkspace();
  await world.sql`
    insert into public.workspace_members (workspace_id, user_id, role)
    values (${other}, ${userId}, 'owner')`;
  const ids = [];
  for (const workspaceId of [one.body.id, other]) {
    const { body } = await keyed.post("mine", destination, { token: session, workspaceId });
    ids.push(body.id);
  }
  assert.equal(new Set(ids).size, 2);
});

Deno.test("an Idempotency-Key is valid for 24 hours and is then deleted", async () => {
  await using keyed = await createKeyedWorld();
  const { sql } = keyed.world;
  const age = (interval: string) =>
    sql`update private.idempotent_requests set created_at = now() - ${interval}::interval`;
  const first = await keyed.post("day");
  await age("23 hours 59 minutes");
  await sql`select private.run_frequent_tasks()`;
  assert.equal((await keyed.post("day")).body.id, first.body.id);
  await age("24 hours");
  const later = await keyed.post("day", { ...destination, name: "Lake" });
  assert.equal(later.status, 201);
  assert.notEqual(later.body.id, first.body.id);
  await age("24 hours");
  await sql`select private.run_frequent_tasks()`;
  assert.equal((await sql`select from private.idempotent_requests`).length, 0);
});

Deno.test("an empty, too long or unprintable Idempotency-Key is invalid input", async () => {
  await using keyed = await createKeyedWorld();
  for (const key of ["", "x".repeat(256), "tab\there", "umlaut ü"]) {
    const response = await keyed.post(key);
    assert.deepEqual(
      [response.status, response.body.details[0].field],
      [400, "Idempotency-Key"],
      key,
    );
  }
  assert.equal(await keyed.count(), 0);
  assert.equal((await keyed.post("x".repeat(255))).status, 201);
});

Deno.test("a stored response contains no secret in clear text, and only its caller can repeat it", async () => {
  await using keyed = await createKeyedWorld();
  const { world } = keyed;
  const { body } = await keyed.post("secret");
  const [row] = await world.sql`select r.* from private.idempotent_requests as r`;
  assert.match(row!.response, /^v1\.[0-9a-f]{8}\.[\w-]+$/);
  assert(!JSON.stringify(row).includes(body.secret));
  // A row that somebody moved to another caller does not open.
  const [thief] = await world.sql`
    select k.id from private.api_keys as k where k.id <> ${row!.caller_id}`;
  assert.equal(thief, undefined);
  const other = await world.createKey([...scopes]);
  await world.sql`
    update private.idempotent_requests
    set caller_id = (select k.id from private.api_keys as k where k.id <> ${row!.caller_id})`;
  const stolen = await keyed.post("secret", destination, { token: other });
  assert.deepEqual([stolen.status, stolen.body.code], [409, "conflict"]);
});

Deno.test("erasing a customer erases the stored responses about them", async () => {
  await using world = await createApiWorld();
  const { customerId, workspaceId } = await createApiEntities(world);
  const token = await world.createKey([...scopes], workspaceId);
  const attached = await world.send({
    method: "POST",
    path: `/customers/${customerId}/device-tokens`,
    token,
    body: { token: "token-9", platform: "web" },
    headers: { "idempotency-key": "attach" },
  });
  assert.equal(attached.status, 201);
  await world.send({ method: "DELETE", path: `/customers/${customerId}`, token });
  const kept = await world.sql`select from private.idempotent_requests`;
  assert.equal(kept.length, 0);
});

Deno.test("the typed client retries a POST with the same key if no response arrives", async () => {
  await using keyed = await createKeyedWorld();
  const { world, token } = keyed;
  const sent: Headers[] = [];
  const client = createApiClient({
    functionsUrl: "http://127.0.0.1:1",
    headers: () => ({ authorization: `Bearer ${token}` }),
    fetch: async (url, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers));
      sent.push(new Headers(init?.headers));
      const response = await world.send({
        method: init!.method!,
        path: String(url).slice("http://127.0.0.1:1/api".length),
        headers,
        raw: new TextEncoder().encode(String(init!.body)),
      });
      // The responses to the first two are lost on their way.
      if (sent.length < 3) throw new TypeError("network");
      return Response.json(response.body, { status: response.status });
    },
  });
  const made = await client.call("POST /destinations", { body: destination });
  assert.equal(made.name, "Warehouse");
  assert.equal(await keyed.count(), 1);
  assert.equal(new Set(sent.map((headers) => headers.get("idempotency-key"))).size, 1);
  await assert.rejects(
    client.call("POST /destinations", {
      body: { ...destination, name: "Lake" },
      idempotencyKey: sent[0]!.get("idempotency-key")!,
    }),
    (error) => error instanceof ApiCallError && error.status === 409,
  );
});

Deno.test("every response contains the version of the service", async () => {
  await using world = await createApiWorld();
  for (const path of ["/destinations", "/openapi.json", "/nowhere"]) {
    const response = await world.send({ path });
    assert.equal(response.headers.get("x-service-version"), version);
  }
  const { body } = await world.send({ path: "/openapi.json" });
  assert.equal(body.info.version, version);
});

Deno.test("a key with another workspace's X-Workspace-Id is 404, and changes nothing", async () => {
  await using keyed = await createKeyedWorld();
  const { world, token } = keyed;
  const other = await world.createWorkspace();
  for (const workspaceId of [other, crypto.randomUUID(), "nonsense"]) {
    const write = await world.send({ method: "POST", path, token, workspaceId, body: destination });
    assert.deepEqual([write.status, write.body.error], [404, "Workspace does not exist"]);
    assert.equal((await world.send({ path, token, workspaceId })).status, 404);
  }
  assert.equal(await keyed.count(), 0);
  const own = world.workspaceId.toUpperCase();
  assert.equal((await world.send({ path, token, workspaceId: own })).status, 200);
});
