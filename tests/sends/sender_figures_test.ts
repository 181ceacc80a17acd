import assert from "node:assert/strict";
import { createTestAuthority } from "../../testing/receivers/certificates.ts";
import { startSmtpReceiver } from "../../testing/receivers/smtp_receiver.ts";
import { closeAfterRequest, respond } from "../../testing/receivers/receiver_behaviours.ts";
import { createSendWorld, type SendWorld } from "../../testing/service/send_world.ts";

const hourMs = 3_600_000;

/** Reports an outcome, as the webhook of a provider does. */
async function report(world: SendWorld, sendId: string, outcome: string): Promise<void> {
  const entry = { workspace_id: world.workspaceId, send_id: sendId, outcome, at: world.clock.now };
  await world.sql`
    select private.settle_sends(${JSON.stringify([entry])}::text::jsonb, ${world.clock.now})`;
}

async function readFigures({ sql }: SendWorld) {
  const rows = await sql<(typeof none)[]>`
    select sent, failed, unknown, retried, bounced, refused, complained
    from public.sender_stats
    order by hour`;
  return rows.map((row) => ({ ...row }));
}

const none = {
  sent: 0,
  failed: 0,
  unknown: 0,
  retried: 0,
  bounced: 0,
  refused: 0,
  complained: 0,
};

for (const [outcome, counted] of [["delivered", "sent"], ["failed", "failed"]] as const) {
  // A provider reports that it failed by a bounce.
  const reported = {
    ...none,
    [counted]: 1,
    ...(outcome === "failed" ? { bounced: 1, refused: 1 } : {}),
  };
  Deno.test(`a message of unknown outcome counts as ${counted} when it is reported as ${outcome}`, async () => {
    await using world = await createSendWorld();
    const receiver = await world.receive({ behaviour: closeAfterRequest() });
    const sender_id = await world.addSender(receiver.port, { provider: "postmark" });
    const customer_id = await world.addCustomer("ada@example.com");
    const [id] = await world.create({ sender_id, customer_id });
    await world.dispatch();
    assert.deepEqual(await readFigures(world), [{ ...none, unknown: 1 }]);
    // In the hour in which it was sent, although the report comes later.
    world.clock.advance(2 * hourMs);
    await report(world, id!, outcome);
    assert.equal((await world.read(id!)).state, counted);
    assert.deepEqual(await readFigures(world), [reported]);
    await report(world, id!, outcome);
    assert.deepEqual(await readFigures(world), [reported], "once");
  });
}

Deno.test("a bounce and a complaint count once, in the hour of their messages", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive({ behaviour: respond(200, { body: '{"id":"1"}' }) });
  const sender_id = await world.addSender(receiver.port, { provider: "postmark" });
  const send = async (email: string) => {
    const [id] = await world.create({ sender_id, customer_id: await world.addCustomer(email) });
    return id!;
  };
  const ada = await send("ada@example.com");
  const bob = await send("bob@example.com");
  await send("cy@example.com");
  await world.dispatch();
  world.clock.advance(2 * hourMs);
  for (const outcome of ["soft_bounced", "delivered", "bounced", "bounced", "delivered"]) {
    await report(world, ada, outcome);
  }
  for (const outcome of ["delivered", "complained", "complained"]) {
    await report(world, bob, outcome);
  }
  assert.deepEqual(await readFigures(world), [{ ...none, sent: 3, bounced: 1, complained: 1 }]);
});

Deno.test("an address that an SMTP server refuses as unknown counts as bounced, once", async () => {
  const host = "mail.example.com";
  const authority = await createTestAuthority();
  await using world = await createSendWorld({ smtpCa: authority.cert });
  await using server = await startSmtpReceiver({
    identity: await authority.issue(host),
    behaviour: { RCPT: "550 5.1.1 unknown" },
  });
  const config = { host, port: server.port, secure: false };
  const sender_id = await world.addSender(0, { provider: "smtp", config });
  const customer_id = await world.addCustomer("ada@example.com");
  const [id] = await world.create({ sender_id, customer_id });
  await world.dispatch();
  assert.deepEqual(await readFigures(world), [{ ...none, failed: 1, bounced: 1, refused: 1 }]);
  await report(world, id!, "bounced");
  assert.deepEqual(await readFigures(world), [{ ...none, failed: 1, bounced: 1, refused: 1 }]);
});

Deno.test("an address that is refused as unknown after the lease counts as bounced, once", async () => {
  const host = "mail.example.com";
  const authority = await createTestAuthority();
  const asked = Promise.withResolvers<void>();
  const refusal = Promise.withResolvers<string>();
  await using world = await createSendWorld({ smtpCa: authority.cert });
  await using server = await startSmtpReceiver({
    identity: await authority.issue(host),
    behaviour: {
      get RCPT() {
        asked.resolve();
        return refusal.promise;
      },
    },
  });
  const config = { host, port: server.port, secure: false };
  const sender_id = await world.addSender(0, { provider: "smtp", config });
  const customer_id = await world.addCustomer("ada@example.com");
  const [id] = await world.create({ sender_id, customer_id });
  const slow = world.dispatch();
  await asked.promise;
  world.clock.advance(2 * hourMs);
  await world.sql`select private.expire_send_claims(500, ${world.clock.now})`;
  assert.deepEqual(await readFigures(world), [{ ...none, unknown: 1 }]);
  refusal.resolve("550 5.1.1 unknown");
  await slow;
  assert.equal((await world.read(id!)).state, "failed");
  assert.deepEqual(await readFigures(world), [{ ...none, failed: 1, bounced: 1, refused: 1 }]);
  await report(world, id!, "bounced");
  assert.deepEqual(await readFigures(world), [{ ...none, failed: 1, bounced: 1, refused: 1 }]);
});

Deno.test("a report that is faster than the result counts once, when the message leaves the queue", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive({ behaviour: respond(503) });
  const sender_id = await world.addSender(receiver.port, { provider: "postmark" });
  const customer_id = await world.addCustomer("ada@example.com");
  const [id] = await world.create({ sender_id, customer_id });
  await world.dispatch();
  await report(world, id!, "delivered");
  assert.deepEqual(await readFigures(world), [{ ...none, retried: 1 }]);
  world.clock.advance(60_000);
  await world.dispatch();
  const figures = (await readFigures(world)).reduce((sum, { sent }) => sum + sent, 0);
  assert.deepEqual([figures, receiver.requests.length], [1, 1], "and it is not sent again");
});

Deno.test("a test of a message counts in no figure with any outcome", async () => {
  await using world = await createSendWorld();
  const sent = await world.receive({ behaviour: respond(200, { body: '{"id":"1"}' }) });
  const lost = await world.receive({ behaviour: closeAfterRequest() });
  const customer_id = await world.addCustomer("ada@example.com");
  const ids = [];
  for (const { port } of [sent, lost]) {
    const sender_id = await world.addSender(port, { provider: "postmark" });
    const test = { sender_id, customer_id, purpose: "test", email: "team@example.com" };
    ids.push((await world.create(test))[0]!);
  }
  await world.dispatch();
  const states = await Promise.all(ids.map(async (id) => (await world.read(id)).state));
  assert.deepEqual(states, ["sent", "unknown"]);
  await report(world, ids[1]!, "delivered");
  assert.equal((await world.read(ids[1]!)).state, "sent");
  assert.deepEqual(await readFigures(world), []);
});
