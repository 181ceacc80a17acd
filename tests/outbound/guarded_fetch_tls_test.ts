import assert from "node:assert/strict";
import {
  createSelfSigned,
  createTestAuthority,
  endedYesterday,
  type Identity,
} from "../../testing/receivers/certificates.ts";
import {
  closesHandshakes,
  createGuardedWorld,
  type GuardedWorld,
} from "../../testing/service/guarded_world.ts";
import { behaviours } from "../../testing/receivers/remote_receiver.ts";

const { respond } = behaviours;

const authority = await createTestAuthority();

function createTlsWorld(identity: Identity): Promise<GuardedWorld> {
  return createGuardedWorld(
    { behaviour: respond(200, { body: "secure" }), identity },
    { ca: authority.cert, resolve: () => Promise.resolve(["127.0.0.1"]) },
  );
}

Deno.test("send() delivers over TLS to the name, at the address that was checked", async () => {
  await using world = await createTlsWorld(await authority.issue("hook.test"));
  const url = `https://hook.test:${world.receiver.port}/`;
  for (let attempt = 1; attempt <= 3; attempt++) {
    const outcome = await world.send({ url, concurrency: 1 });
    assert.equal(outcome.error, null);
    assert.equal(outcome.response_snippet, "secure");
  }
  assert.equal(world.receiver.connections, 1);
});

Deno.test("send() delivers over TLS to an address that its certificate names", async () => {
  await using world = await createTlsWorld(await authority.issue("127.0.0.1"));
  const outcome = await world.send({ url: `https://127.0.0.1:${world.receiver.port}/` });
  assert.equal(outcome.error, null);
  assert.equal(outcome.status_code, 200);
});

const badCertificates: [string, () => Promise<Identity>][] = [
  ["an expired certificate", () => authority.issue("hook.test", endedYesterday())],
  ["a self-signed certificate", () => createSelfSigned("hook.test")],
  ["a certificate of another host", () => authority.issue("other.test")],
  ["a certificate of the bare address", () => authority.issue("127.0.0.1")],
  ["a certificate of an unknown authority", async () => {
    return await (await createTestAuthority()).issue("hook.test");
  }],
];

for (const [what, createIdentity] of badCertificates) {
  Deno.test(`send() calls ${what} tls and sends no request`, async () => {
    await using world = await createTlsWorld(await createIdentity());
    const outcome = await world.send({ url: `https://hook.test:${world.receiver.port}/` });
    assert.equal(outcome.error, "tls");
    assert.equal(outcome.status_code, null);
    assert.equal(world.receiver.requests.length, 0);
  });
}

Deno.test("send() reports tls for a plain HTTP response to its handshake", async () => {
  const greeting = "HTTP/1.1 400 Bad Request\r\n\r\n";
  await using world = await createGuardedWorld(
    { behaviour: respond(200), greeting },
    { resolve: () => Promise.resolve(["127.0.0.1"]) },
  );
  const outcome = await world.send({ url: `https://hook.test:${world.receiver.port}/` });
  assert.equal(outcome.error, "tls");
});

Deno.test({
  name: "send() stops connecting before its deadline when the handshake hangs",
  sanitizeResources: closesHandshakes,
  fn: async () => {
    await using world = await createGuardedWorld(
      { behaviour: respond(200), isMute: true },
      { connectTimeoutMs: 100, resolve: () => Promise.resolve(["127.0.0.1"]) },
    );
    const outcome = await world.send({ url: `https://hook.test:${world.receiver.port}/` });
    assert.equal(outcome.error, "timeout");
    assert(outcome.duration_ms >= 90 && outcome.duration_ms < 1_000);
    if (closesHandshakes) await world.receiver.waitForDisconnect();
  },
});

Deno.test("send() sends nothing over a connection established after the deadline", async () => {
  await using world = await createGuardedWorld(
    { behaviour: respond(200), isMute: true },
    { deadlineMs: 50, connectTimeoutMs: 1_500, resolve: () => Promise.resolve(["127.0.0.1"]) },
  );
  const outcome = await world.send({ url: `https://hook.test:${world.receiver.port}/` });
  assert.equal(outcome.error, "timeout");
  assert(outcome.duration_ms < 1_400);
  if (closesHandshakes) await world.receiver.waitForDisconnect();
  assert.equal(world.receiver.requests.length, 0);
});
