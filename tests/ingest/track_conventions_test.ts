import assert from "node:assert/strict";
import { createTrackWorld, type ServiceResponse } from "../../testing/service/app.ts";

const event = { external_id: "user-1", name: "viewed" };
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function assertError(response: ServiceResponse, status: number, code: string): void {
  assert.equal(response.status, status, JSON.stringify(response.body));
  assert.equal(response.body.code, code);
  assert.equal(typeof response.body.error, "string");
  assert.equal(response.body.request_id, response.headers.get("x-request-id"));
  assert.equal(Array.isArray(response.body.details), status === 400);
  assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
}

Deno.test("track returns a request id: the caller's own if it is a UUID, or a new one of version 7", async () => {
  await using world = await createTrackWorld();
  const own = crypto.randomUUID();
  for (const body of [event, "{", undefined]) {
    const named = await world.send(body, { headers: { "x-request-id": own } });
    assert.equal(named.headers.get("x-request-id"), own);
    const unnamed = await world.send(body, { headers: { "x-request-id": "mine\u00e9" } });
    assert.match(unnamed.headers.get("x-request-id") ?? "", uuidForm);
  }
});

Deno.test("track returns 404 for unknown routes and 405 with Allow for other methods", async () => {
  await using world = await createTrackWorld();
  for (const path of ["/track/x", "/track/devices/1", "/other", "/"]) {
    assertError(await world.send(event, { path }), 404, "not_found");
  }
  for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE"]) {
    const response = await world.send(undefined, { method });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get("allow"), "POST");
    if (method !== "HEAD") assertError(response, 405, "method_not_allowed");
  }
  const devices = await world.send(undefined, { method: "GET", path: "/track/devices" });
  assertError(devices, 405, "method_not_allowed");
  assert.equal(devices.headers.get("allow"), "POST, DELETE");
  assert.equal((await world.send(event, { path: "/track/" })).status, 200);
});

Deno.test("track returns 400, 413 and 415 for invalid bodies in one shape", async () => {
  await using world = await createTrackWorld();
  assertError(await world.send("{"), 400, "invalid_json");
  assertError(await world.send({ name: "x" }), 400, "invalid_input");
  assertError(await world.send(new Uint8Array(1_048_577)), 413, "payload_too_large");
  const html = await world.send("x", { headers: { "content-type": "text/html" } });
  assertError(html, 415, "unsupported_media_type");
});

Deno.test("track measures one entry without white space and escapes, alone and in a bulk", async () => {
  await using world = await createTrackWorld();
  const large = { ...event, properties: { text: "é".repeat(16_000) } };
  const escaped = JSON.stringify(large).replaceAll("é", "\\u00e9");
  for (const text of [escaped, JSON.stringify(event) + " ".repeat(1_000_000)]) {
    assert.equal((await world.send(text)).status, 200);
    assert.equal((await world.send(`{"events":[${text}]}`)).body.accepted, 1);
  }
  const over = { ...event, properties: { text: "é".repeat(16_384) } };
  assertError(await world.send(over), 413, "payload_too_large");
});

Deno.test("track accepts JSON that a browser's beacon sends as text/plain", async () => {
  await using world = await createTrackWorld();
  for (const type of ["text/plain", "text/plain;charset=UTF-8"]) {
    const response = await world.send(event, { headers: { "content-type": type } });
    assert.equal(response.status, 200);
  }
});

Deno.test("track returns internal error without details when the service fails", async () => {
  await using world = await createTrackWorld();
  await world.db.sql`revoke execute on function private.ingest(text, uuid) from signalpost_ingest`;
  const response = await world.send({ ...event, properties: { card: "secret-value" } });
  assertError(response, 500, "internal_error");
  assert.equal(response.body.error, "Internal error");
  const line = JSON.parse(world.logged.at(-1) ?? "{}");
  assert.equal(line.level, "error");
  assert.match(line.error, /permission denied/);
  await world.db.sql`grant execute on function private.ingest(text, uuid) to signalpost_ingest`;
  assert.equal((await world.send(event)).status, 200);
});

Deno.test("track writes one log line per request, without key and body", async () => {
  await using world = await createTrackWorld();
  await world.send({ ...event, properties: { card: "secret-value" } });
  await world.send("{secret-value");
  await world.send({ events: [event, { name: "secret-value" }] });
  assert.equal(world.logged.length, 3);
  for (const line of world.logged) {
    assert(!line.includes("secret-value") && !line.includes(world.key));
    const { function: name, method, path, workspace_id } = JSON.parse(line);
    assert.deepEqual([name, method, path, workspace_id], [
      "track",
      "POST",
      "/track",
      world.workspaceId,
    ]);
  }
  const { accepted, duplicates, rejected } = JSON.parse(world.logged[2]!);
  assert.deepEqual([accepted, duplicates, rejected], [1, 0, 1]);
});

Deno.test("track accepts preflights from any origin and exposes its headers", async () => {
  await using world = await createTrackWorld();
  const preflight = await world.send(undefined, {
    method: "OPTIONS",
    headers: {
      authorization: undefined,
      origin: "https://shop.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
  assert.match(preflight.headers.get("access-control-allow-methods") ?? "", /POST.*DELETE/);
  const allowed = preflight.headers.get("access-control-allow-headers")?.split(",") ?? [];
  const needed =
    "authorization content-type apikey x-client-info x-workspace-id x-request-id x-retry-count";
  for (const name of needed.split(" ")) assert(allowed.includes(name), name);

  for (const body of [event, "{"]) {
    const response = await world.send(body, { headers: { origin: "https://shop.example" } });
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    assert.equal(response.headers.get("access-control-allow-credentials"), null);
    const exposed = response.headers.get("access-control-expose-headers")?.toLowerCase() ?? "";
    for (const name of ["x-request-id", "retry-after"]) assert(exposed.includes(name));
    for (const name of ["limit", "remaining", "reset"]) {
      assert(exposed.includes(`ratelimit-${name}`));
    }
  }
});

Deno.test("track returns the rate limit with every authenticated response", async () => {
  await using world = await createTrackWorld();
  const bodies = [event, "{", { name: 1 }, { events: [event] }, { events: [] }];
  for (const body of bodies) {
    const response = await world.send(body);
    for (const name of ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]) {
      assert.match(response.headers.get(name) ?? "", /^\d+$/, `${name} of ${JSON.stringify(body)}`);
    }
  }
});
