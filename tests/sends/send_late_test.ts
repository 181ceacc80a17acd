import assert from "node:assert/strict";
import { closeAfterRequest, respond } from "../../testing/receivers/receiver_behaviours.ts";
import type { Behaviour } from "../../testing/receivers/receiver.ts";
import { createSendWorld } from "../../testing/service/send_world.ts";

/** Longer than a lease. */
const leaseMs = 120_000;
const hourMs = 3_600_000;

/** Behaves in this way once it is opened. */
function createGate(behaviour: Behaviour) {
  const opened = Promise.withResolvers<void>();
  const gated: Behaviour = async (exchange) => {
    await opened.promise;
    await behaviour(exchange);
  };
  return { gated, open: () => opened.resolve() };
}

type Figures = Record<"sent" | "failed" | "unknown", number>;

/** The figures of a sender with one message. */
function countAs(state: string): Figures {
  return { sent: 0, failed: 0, unknown: 0, [state]: 1 };
}

/** A message whose provider answers after the lease, when its claim was ended. */
async function answerLate(
  answer: Behaviour,
  sender: { provider: string; onUnknown?: "stop" | "repeat" },
) {
  await using world = await createSendWorld();
  const { gated, open } = createGate(answer);
  const receiver = await world.receive({ behaviour: gated });
  const sender_id = await world.addSender(receiver.port, sender);
  const customer_id = await world.addCustomer("ada@example.com");
  const [id] = await world.create({ sender_id, customer_id });
  const slow = world.dispatch();
  await receiver.waitForRequests(1);
  world.clock.advance(leaseMs);
  await world.sql.begin(async (sql) => {
    await sql`select private.expire_send_claims(500, ${world.clock.now})`;
    // If it is to be repeated, then after the answer.
    await sql`update private.send_queue set due_at = due_at + interval '1 hour'`;
  });
  const before = await world.read(id!);
  receiver.use(respond(200));
  open();
  await slow;
  const after = await world.read(id!);
  world.clock.advance(2 * hourMs);
  await world.dispatch();
  const end = await world.read(id!);
  const queued = await world.sql`select from private.send_queue`;
  const [lane] = await world.sql`select in_flight from private.send_lanes`;
  assert.deepEqual([queued.length, lane!.in_flight], [0, 0]);
  const [figures] = await world.sql<Figures[]>`
    select sum(sent)::int as sent, sum(failed)::int as failed, sum(unknown)::int as unknown
    from public.sender_stats`;
  assert.deepEqual({ ...figures }, countAs(end.state), "counted once, as what it is");
  return {
    states: [before.state, after.state, end.state],
    reason: end.reason,
    provider_id: end.provider_id,
    outcomes: end.attempts.map(({ outcome }) => outcome),
    requests: receiver.requests.length,
    events: await world.events(customer_id),
  };
}

const taken = respond(200, { body: '{"MessageID":"p-1","id":"p-1"}' });

Deno.test("late: the provider took a message whose outcome was unknown", async () => {
  assert.deepEqual(await answerLate(taken, { provider: "postmark" }), {
    states: ["unknown", "sent", "sent"],
    reason: null,
    provider_id: "p-1",
    outcomes: ["unknown", "sent"],
    requests: 1,
    events: ["email_sent"],
  });
});

Deno.test("late: the provider refused a message whose outcome was unknown", async () => {
  assert.deepEqual(await answerLate(respond(422), { provider: "postmark" }), {
    states: ["unknown", "failed", "failed"],
    reason: "rejected",
    provider_id: null,
    outcomes: ["unknown", "failed"],
    requests: 1,
    events: ["email_failed"],
  });
});

Deno.test("late: an answer that settles nothing leaves the outcome unknown", async () => {
  assert.deepEqual(await answerLate(respond(500), { provider: "postmark" }), {
    states: ["unknown", "unknown", "unknown"],
    reason: "interrupted",
    provider_id: null,
    outcomes: ["unknown"],
    requests: 1,
    events: [],
  });
});

for (const [provider, onUnknown] of [["resend", "stop"], ["postmark", "repeat"]] as const) {
  Deno.test(`late: what ${provider} took is not repeated, although it waited for that`, async () => {
    assert.deepEqual(await answerLate(taken, { provider, onUnknown }), {
      states: ["queued", "sent", "sent"],
      reason: null,
      provider_id: "p-1",
      outcomes: ["unknown", "sent"],
      requests: 1,
      events: ["email_sent"],
    });
  });
}

Deno.test("late: what was to be repeated is, when the answer says nothing about it", async () => {
  const { states, requests, events } = await answerLate(respond(500), { provider: "resend" });
  assert.deepEqual([states, requests, events], [["queued", "queued", "sent"], 2, ["email_sent"]]);
});

Deno.test("a message is not repeated once the provider may have forgotten its key", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive({ behaviour: closeAfterRequest() });
  const customer_id = await world.addCustomer("ada@example.com");
  const sender_id = await world.addSender(receiver.port);
  const patient = await world.addSender(receiver.port, { onUnknown: "repeat" });
  const ids = await world.create({ sender_id, customer_id }, { sender_id: patient, customer_id });
  await world.dispatch();
  world.clock.advance(22 * hourMs);
  await world.dispatch();
  assert.equal(receiver.requests.length, 4, "within the time of the key");
  await world.sql`update public.senders set enabled = false`;
  world.clock.advance(2 * hourMs);
  await world.sql`update public.senders set enabled = true`;
  receiver.use(respond(200));
  world.clock.advance(1);
  await world.dispatch();
  const rows = await Promise.all(ids.map((id) => world.read(id)));
  assert.deepEqual(rows.map(({ state, reason }) => [state, reason]), [
    ["unknown", "key_expired"],
    ["sent", null],
  ]);
  assert.equal(receiver.requests.length, 5);
});
