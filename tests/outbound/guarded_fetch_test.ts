import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import type { SendOutcome } from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";
import { generateSecret, signDelivery } from "../../supabase/functions/_shared/secrets/signing.ts";
import { createGuardedWorld } from "../../testing/service/guarded_world.ts";
import type { NamedBehaviour } from "../../testing/receivers/receiver_host.ts";
import { behaviours } from "../../testing/receivers/remote_receiver.ts";

const {
  respond,
  respondAfterInterim,
  askToWait,
  breakChunks,
  closeAfterRequest,
  drip,
  endInResponse,
  failTimes,
  hang,
  pourEndlessly,
  promiseTwoLengths,
  redirect,
  resetAfterRequest,
  resetInResponse,
  sendBomb,
  sendRaw,
} = behaviours;

const short = { deadlineMs: 150 };
const kibibyte = 1024;

function pick(outcome: SendOutcome): Partial<SendOutcome> {
  const { ok, status_code, response_snippet, error } = outcome;
  return { ok, status_code, response_snippet, error };
}

Deno.test("send() delivers exactly the bytes and headers it was given", async () => {
  await using world = await createGuardedWorld({ behaviour: respond(200, { body: "thanks" }) });
  const body = new TextEncoder().encode('{ "b":1.50,  "a":"€ \\u0000" }\n');
  const secret = generateSecret();
  const headers = signDelivery({
    messageId: crypto.randomUUID(),
    eventType: "order_created",
    body,
    attemptedAt: new Date(),
    secrets: [secret],
  });
  const outcome = await world.send({ headers, body });

  assert.deepEqual(pick(outcome), {
    ok: true,
    status_code: 200,
    response_snippet: "thanks",
    error: null,
  });
  assert(Number.isInteger(outcome.duration_ms) && outcome.duration_ms >= 0);
  const [request] = world.receiver.requests;
  assert(request);
  assert.equal(request.method, "POST");
  assert.equal(request.path, "/hook");
  assert.deepEqual(request.body, body);
  const received = Object.fromEntries(request.headers);
  assert.deepEqual(received, {
    ...headers,
    host: `127.0.0.1:${world.receiver.port}`,
    connection: "keep-alive",
    "accept-encoding": "identity",
    "content-length": String(body.length),
  });
  new Webhook(secret).verify(new TextDecoder().decode(request.body), received);
});

const responses: [string, NamedBehaviour, Partial<SendOutcome>][] = [
  ["204", respond(204), { ok: true, status_code: 204, response_snippet: "", error: null }],
  ["299", respond(299), { ok: true, status_code: 299, response_snippet: "", error: null }],
  ["301", redirect(301), { ok: false, status_code: 301, response_snippet: "", error: null }],
  ["307", redirect(307), { ok: false, status_code: 307, response_snippet: "", error: null }],
  ["410", respond(410), { ok: false, status_code: 410, response_snippet: "", error: null }],
  [
    "500 with a text",
    respond(500, { body: "oh\0 no" }),
    { ok: false, status_code: 500, response_snippet: "oh\ufffd no", error: null },
  ],
  [
    "200 after interim responses",
    respondAfterInterim(200),
    { ok: true, status_code: 200, response_snippet: "ok", error: null },
  ],
  [
    "200 with twice the same header",
    respond(200, { headers: [["Set-Cookie", "a"], ["Set-Cookie", "b"], ["X", "1"], ["X", "2"]] }),
    { ok: true, status_code: 200, response_snippet: "", error: null },
  ],
  [
    "a reset in the middle of a 200",
    resetInResponse(),
    {
      ok: false,
      status_code: 200,
      response_snippet: "half an answ",
      error: "connection_reset",
    },
  ],
  [
    "a reset after the whole request",
    resetAfterRequest(),
    { ok: false, status_code: null, response_snippet: null, error: "connection_reset" },
  ],
  [
    "a close after the whole request",
    closeAfterRequest(),
    { ok: false, status_code: null, response_snippet: null, error: "connection_reset" },
  ],
  [
    "an end before the promised length",
    endInResponse(),
    {
      ok: false,
      status_code: 200,
      response_snippet: "half an answ",
      error: "connection_reset",
    },
  ],
  [
    "two lengths",
    promiseTwoLengths(),
    { ok: false, status_code: null, response_snippet: null, error: "protocol" },
  ],
  [
    "broken chunks",
    breakChunks(),
    { ok: false, status_code: 200, response_snippet: "", error: "protocol" },
  ],
  [
    "a response that is not HTTP",
    sendRaw("220 mail.example.com ESMTP\r\n"),
    { ok: false, status_code: null, response_snippet: null, error: "protocol" },
  ],
  [
    "an impossible status",
    sendRaw("HTTP/1.1 999 Unknown\r\nContent-Length: 0\r\n\r\n"),
    { ok: false, status_code: null, response_snippet: null, error: "protocol" },
  ],
  [
    "a change of protocol",
    sendRaw("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"),
    { ok: false, status_code: null, response_snippet: null, error: "protocol" },
  ],
  [
    "an interim response that was not asked for",
    sendRaw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    { ok: false, status_code: null, response_snippet: null, error: "protocol" },
  ],
  [
    "endless headers",
    sendRaw(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(64 * kibibyte)}`),
    { ok: false, status_code: null, response_snippet: null, error: "protocol" },
  ],
];

for (const [what, behaviour, expected] of responses) {
  Deno.test(`send() reports ${what} and sends once`, async () => {
    await using world = await createGuardedWorld({ behaviour });
    assert.deepEqual(pick(await world.send()), expected);
    assert.equal(world.receiver.requests.length, 1);
  });
}

Deno.test("send() reports each failure, then the success", async () => {
  await using world = await createGuardedWorld({ behaviour: failTimes(2, 503) });
  const statuses = [];
  for (let attempt = 1; attempt <= 3; attempt++) {
    statuses.push((await world.send({ concurrency: 1 })).status_code);
  }
  assert.deepEqual(statuses, [503, 503, 200]);
  assert.equal(world.receiver.connections, 1);
});

const retryAfters = ["120", "Sat, 21 Nov 2026 11:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"]
  .concat(["soon", "1000000000", ""]);

for (const status of [429, 502, 503, 504] as const) {
  Deno.test(`send() hands on the Retry-After of a ${status} as it came`, async () => {
    await using world = await createGuardedWorld({ behaviour: respond(200) });
    for (const retryAfter of retryAfters) {
      await world.receiver.use(askToWait(status, retryAfter));
      const outcome = await world.send();
      assert.equal(outcome.status_code, status);
      assert.equal(outcome.retry_after, retryAfter);
    }
  });
}

Deno.test("send() reads the first of two Retry-After headers and truncates a long one", async () => {
  const headers: [string, string][] = [["Retry-After", "1".repeat(500)], ["Retry-After", "5"]];
  await using world = await createGuardedWorld({ behaviour: respond(429, { headers }) });
  assert.equal((await world.send()).retry_after, "1".repeat(128));
});

Deno.test("send() stops waiting for headers at the deadline and closes the connection", async () => {
  await using world = await createGuardedWorld({ behaviour: hang() }, short);
  const outcome = await world.send();
  assert.deepEqual(pick(outcome), {
    ok: false,
    status_code: null,
    response_snippet: null,
    error: "timeout",
  });
  assert(outcome.duration_ms >= 140 && outcome.duration_ms < 1_000);
  await world.receiver.waitForDisconnect();
});

Deno.test("send() stops reading a slow body at the deadline and closes the connection", async () => {
  await using world = await createGuardedWorld({ behaviour: drip(20) }, short);
  const outcome = await world.send();
  assert.equal(outcome.ok, false);
  assert.equal(outcome.status_code, 200);
  assert.equal(outcome.error, "timeout");
  assert.match(outcome.response_snippet ?? "", /^x+$/);
  await world.receiver.waitForDisconnect();
});

Deno.test("send() reads 64 KiB of an endless body and closes the connection", async () => {
  await using world = await createGuardedWorld({ behaviour: pourEndlessly() });
  assert.deepEqual(pick(await world.send()), {
    ok: true,
    status_code: 200,
    response_snippet: "x".repeat(2 * kibibyte),
    error: null,
  });
  await world.receiver.waitForDisconnect();
  // The bytes written beyond the limit sat in the buffers of the two sockets.
  const { bytesWritten } = world.receiver;
  assert(bytesWritten >= 64 * kibibyte, `${bytesWritten} bytes were written`);
  assert(bytesWritten < 16 * kibibyte * kibibyte, `${bytesWritten} bytes were written`);
});

Deno.test("send() keeps the connection when a long response ends within 64 KiB", async () => {
  await using world = await createGuardedWorld({
    behaviour: respond(200, { body: "y".repeat(65_000) }),
  });
  for (let attempt = 1; attempt <= 3; attempt++) {
    assert.equal((await world.send({ concurrency: 1 })).response_snippet, "y".repeat(2 * kibibyte));
  }
  assert.equal(world.receiver.connections, 1);
});

Deno.test("send() is not harmed by a gzip bomb", async () => {
  await using world = await createGuardedWorld({ behaviour: sendBomb() });
  assert.deepEqual(pick(await world.send()), {
    ok: true,
    status_code: 200,
    response_snippet: "a".repeat(2 * kibibyte),
    error: null,
  });
});

Deno.test("send() ends as cancelled when its caller aborts it, and closes the connection", async () => {
  await using world = await createGuardedWorld({ behaviour: hang() });
  const stop = new AbortController();
  const sending = world.send({ signal: stop.signal });
  await world.receiver.waitForRequests(1);
  stop.abort();
  assert.equal((await sending).error, "cancelled");
  await world.receiver.waitForDisconnect();
  assert.equal((await world.send({ signal: AbortSignal.abort() })).error, "cancelled");
  assert.equal(world.receiver.requests.length, 1);
});

Deno.test("send() returns an outcome, not an exception, for headers that cannot be sent", async () => {
  await using world = await createGuardedWorld({ behaviour: respond(200) });
  const outcome = await world.send({ headers: { "x-service-event": "a\r\nb: c" } });
  assert.equal(outcome.error, "protocol");
  assert.equal(world.receiver.requests.length, 0);
});

Deno.test("close() ends running requests with an outcome", async () => {
  const world = await createGuardedWorld({ behaviour: hang() });
  const sending = world.send();
  await world.receiver.waitForRequests(1);
  await world[Symbol.asyncDispose]();
  assert.equal((await sending).ok, false);
});
