import assert from "node:assert/strict";
import { eraseCustomers, ingestFor, runFrequentTasksFor } from "../../testing/data/erasures.ts";
import { createInboundWorld, type InboundWorld } from "../../testing/data/inbound.ts";
import {
  createSentMessage,
  readEngagements,
  readSendState,
  type SentMessage,
} from "../../testing/data/sent_messages.ts";
import {
  deliverPayload,
  type EmailService,
  emailServices,
  type ServiceReport,
} from "../../testing/senders/email_services.ts";
import { startSns } from "../../testing/senders/sns.ts";

const ada = "ada@example.com";
const hour = 3_600_000;
const day = 24 * hour;

interface TestReport extends Partial<ServiceReport> {
  kind: ServiceReport["kind"];
  /** Number of the webhook. @default the next one */
  number?: number;
}

/** A source of a service, its signatures, and a customer's messages. */
async function createFeedbackWorld(service: EmailService) {
  const sns = await startSns();
  const world = await createInboundWorld({ fetch: sns.fetch });
  const source = await world.createSource(service.source);
  const { sql } = world.db;
  let next = 0;
  const deliver = async (payload: unknown, number = next += 1) => {
    // Signed now: a signature may be a day old at most, and the event may be older.
    const webhook = { service, source, payload, at: new Date(), sns, number };
    const response = await deliverPayload(world, webhook);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };
  return {
    sql,
    send: (message: SentMessage = {}) => createSentMessage(sql, world.workspaceId, message),
    deliver,
    async report({ number: own, ...report }: TestReport) {
      const number = own ?? (next += 1);
      const payload = service.write({ email: ada, at: new Date(), ...report }, `report-${number}`);
      return await deliver(payload, number);
    },
    events: () => readEngagements(sql, world.workspaceId),
    suppressed: () => readSuppressions(world),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await sns[Symbol.asyncDispose]();
    },
  };
}

async function readSuppressions(
  { db, workspaceId }: InboundWorld,
): Promise<{ address: string; reason: string; days: number | null }[]> {
  const rows = await db.sql<{ address: string; reason: string; days: number | null }[]>`
    select address, reason, round(extract(epoch from until - now()) / 86400)::integer as days
    from public.suppressions where workspace_id = ${workspaceId} order by address`;
  return rows.map((row) => ({ ...row }));
}

const hardBounced = [{ address: ada, reason: "hard_bounce", days: null }];

for (const service of emailServices) {
  const { name } = service;

  Deno.test(`${name}: a delivery and a hard bounce are events of the send, and suppress`, async () => {
    await using world = await createFeedbackWorld(service);
    const sendId = await world.send({ state: "unknown" });
    assert.equal((await world.report({ kind: "delivered", sendId })).accepted, 1);
    const { state, feedback } = await readSendState(world.sql, sendId);
    assert.deepEqual([state, feedback], ["sent", "delivered"]);
    assert.deepEqual(await world.suppressed(), []);
    await world.report({ kind: "unknown_address", sendId });
    assert.equal((await readSendState(world.sql, sendId)).feedback, "bounced");
    assert.deepEqual(await world.suppressed(), hardBounced);
    const events = await world.events();
    assert.deepEqual(events.map((event) => [event.name, event.externalId]), [
      ["email_delivered", "ada"],
      ["email_sent", "ada"],
      ["email_bounced", "ada"],
    ]);
    const { send_id, email, bounce_type, reason } = events[2]!.properties;
    assert.deepEqual([send_id, email, bounce_type, reason], [
      sendId,
      ada,
      "hard",
      "unknown_address",
    ]);
  });

  Deno.test(`${name}: reports in any order, before our own record, leave the same state`, async () => {
    const kinds = ["delivered", "mailbox_full", "unknown_address", "complained"] as const;
    await using world = await createFeedbackWorld(service);
    const orders = [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]];
    for (const [i, order] of orders.entries()) {
      const email = `c${i}@example.com`;
      const sendId = await world.send({ externalId: `c${i}`, email, state: "sending" });
      const at = Date.now() - hour;
      for (const n of order) {
        await world.report({ kind: kinds[n]!, sendId, email, at: new Date(at + n * 1000) });
      }
      const { state, feedback } = await readSendState(world.sql, sendId);
      assert.deepEqual([state, feedback], ["sent", "complained"], `${order}`);
    }
    const reasons = (await world.suppressed()).map(({ reason }) => reason);
    assert.deepEqual(reasons, Array(4).fill("complaint"));
    const consents = await world.sql`
      select source, subscribed from private.consents where topic_id = private.all_topics()`;
    const withdrawn = { source: "complaint", subscribed: false };
    assert.deepEqual(consents.map((row) => ({ ...row })), Array(4).fill(withdrawn));
  });

  Deno.test(`${name}: three soft bounces in 7 days suppress for 30 days, a large message counts for nothing`, async () => {
    await using world = await createFeedbackWorld(service);
    for (const days of [8, 6, 3]) {
      const at = new Date(Date.now() - days * day);
      const sendId = await world.send({ sentAt: at });
      await world.report({ kind: "mailbox_full", sendId, at });
      // The same message again.
      await world.report({ kind: "mailbox_full", sendId, at: new Date(at.getTime() + hour) });
    }
    await world.report({ kind: "message_too_large", sendId: await world.send() });
    assert.deepEqual(await world.suppressed(), []);
    await world.report({ kind: "mailbox_full", sendId: await world.send() });
    const suppressed = [{ address: ada, reason: "soft_bounces", days: 30 }];
    assert.deepEqual(await world.suppressed(), suppressed);
  });

  Deno.test(`${name}: a delivery between soft bounces starts the count again, reported late too`, async () => {
    await using world = await createFeedbackWorld(service);
    const at = (days: number) => new Date(Date.now() - days * day);
    for (const days of [5, 3, 2]) {
      const sendId = await world.send({ sentAt: at(days) });
      await world.report({ kind: "mailbox_full", sendId, at: at(days) });
    }
    assert.equal((await world.suppressed()).length, 1);
    const delivered = await world.send({ sentAt: at(4) });
    await world.report({ kind: "delivered", sendId: delivered, at: at(4) });
    assert.deepEqual(await world.suppressed(), []);
  });

  Deno.test(`${name}: a message that expired (4.4.7) is a hard bounce`, async () => {
    await using world = await createFeedbackWorld(service);
    await world.report({ kind: "expired", sendId: await world.send() });
    assert.deepEqual(await world.suppressed(), hardBounced);
  });

  Deno.test(`${name}: a report without our id is matched by the provider's, then by the address`, async () => {
    await using world = await createFeedbackWorld(service);
    assert.equal((await world.report({ kind: "delivered", email: "x@example.com" })).ignored, 1);
    const named = await world.send({
      providerId: "provider-1",
      sentAt: new Date(Date.now() - 2 * hour),
    });
    const newest = await world.send();
    const hasIds = name !== "sendgrid" && name !== "mailgun";
    await world.report({ kind: "delivered", providerId: "provider-1" });
    await world.report({ kind: "delivered", email: ada.toUpperCase() });
    assert.equal((await readSendState(world.sql, named)).feedback, hasIds ? "delivered" : null);
    assert.equal((await readSendState(world.sql, newest)).feedback, "delivered");
    const sendId = "0199a000-0000-7000-8000-00000000000b";
    assert.equal((await world.report({ kind: "delivered", sendId })).ignored, 1);
  });

  Deno.test(`${name}: a report after the erasure of its customer brings nobody back`, async () => {
    await using world = await createFeedbackWorld(service);
    const sendId = await world.send();
    const { sql } = world;
    const [customer] = await sql<{ id: string; workspace_id: string }[]>`
      select id, workspace_id from public.customers`;
    await eraseCustomers(sql, customer!.workspace_id, [customer!.id]);
    await runFrequentTasksFor(sql, { seconds: 90 });
    const consequences = [
      { kind: "delivered", suppressed: [] },
      { kind: "unknown_address", suppressed: ["hard_bounce"] },
      { kind: "complained", suppressed: ["complaint"] },
    ] as const;
    for (const { kind, suppressed } of consequences) {
      assert.equal((await world.report({ kind, sendId })).ignored, 1, kind);
      if (suppressed.length > 0) {
        const { ignored } = await world.report({ kind, providerId: "provider-1" });
        assert.equal(ignored, 1, `${kind} without our id`);
      }
      const rows = await sql<{ reason: string; address: string | null }[]>`
        select reason, address from public.suppressions`;
      assert.deepEqual(rows.map(({ reason }) => reason), suppressed, kind);
      assert(rows.every(({ address }) => address === null), "the address itself is not kept");
    }
    assert.equal((await sql`select from public.customers`).length, 0);
    const bodies = await sql`select from public.inbound_receipts where body is not null`;
    assert.equal(bodies.length, 0);
    await ingestFor(sql, customer!.workspace_id, [
      { kind: "identify", external_id: "again", profile: { email: ada } },
    ]);
    const [state] = await sql<{ id: string | null }[]>`
      select s.id from public.suppressions as s
      where s.address_hash = private.address_hash(s.workspace_id, 'email', ${ada})`;
    assert(state?.id, "who comes back is still suppressed");
  });

  Deno.test(`${name}: a report names an international domain as mail servers do`, async () => {
    await using world = await createFeedbackWorld(service);
    await world.send({ email: "ada@bücher.example" });
    await world.report({ kind: "complained", email: "ada@xn--bcher-kva.example" });
    const suppressed = await world.suppressed();
    assert.deepEqual(suppressed.map(({ address }) => address), ["ada@bücher.example"]);
  });

  Deno.test(`${name}: a repeated report takes effect once`, async () => {
    await using world = await createFeedbackWorld(service);
    const report = { sendId: await world.send(), at: new Date(), number: 7 };
    assert.equal((await world.report({ kind: "unknown_address", ...report })).accepted, 1);
    await world.sql`delete from public.suppressions`;
    assert.equal((await world.report({ kind: "unknown_address", ...report })).duplicates, 1);
    assert.deepEqual(await world.suppressed(), []);
    assert.equal((await world.events()).length, 1);
  });
}

const withUnsubscribe = emailServices.filter(({ name }) => name !== "ses");

for (const service of withUnsubscribe) {
  Deno.test(`${service.name}: an unsubscription withdraws everything`, async () => {
    await using world = await createFeedbackWorld(service);
    await world.send();
    await world.report({ kind: "unsubscribed" });
    const consents = await world.sql`
      select source, subscribed, topic_id = private.all_topics() as of_all from private.consents`;
    const withdrawn = { source: "event", subscribed: false, of_all: true };
    assert.deepEqual(consents.map((row) => ({ ...row })), [withdrawn]);
    assert.deepEqual(await world.suppressed(), []);
  });
}

const bob = "bob@example.com";

/** Joins reports about several recipients into the payload that a service sends for them. */
const joined: Partial<Record<EmailService["name"], (reports: unknown[]) => unknown>> = {
  sendgrid: (reports) => reports.flat(),
  resend: joinAddresses,
  ses: joinBounces,
  "ses events": joinBounces,
};

interface ResendPayload {
  data: { to: string[] };
}

function joinAddresses(reports: unknown[]): unknown {
  const payloads = reports as ResendPayload[];
  const to = payloads.flatMap(({ data }) => data.to);
  return { ...payloads[0], data: { ...payloads[0]!.data, to } };
}

interface SesPayload {
  bounce: { bouncedRecipients: unknown[] };
  mail: { destination: string[] };
}

function joinBounces(reports: unknown[]): unknown {
  const payloads = reports as SesPayload[];
  const [first] = payloads;
  const bouncedRecipients = payloads.flatMap(({ bounce }) => bounce.bouncedRecipients);
  const destination = payloads.flatMap(({ mail }) => mail.destination);
  return {
    ...first,
    bounce: { ...first!.bounce, bouncedRecipients },
    mail: { ...first!.mail, destination },
  };
}

for (const service of emailServices.filter(({ name }) => joined[name] !== undefined)) {
  Deno.test(`${service.name}: one payload about several recipients settles the send of each`, async () => {
    await using world = await createFeedbackWorld(service);
    const sends = [
      await world.send({ state: "unknown" }),
      await world.send({ state: "unknown", externalId: "bob", email: bob }),
    ];
    const stranger = "stranger@example.com";
    const reports = [stranger, bob, ada].map((email, i) =>
      service.write({ kind: "unknown_address", email, at: new Date() }, `report-${i}`)
    );
    const { accepted } = await world.deliver(joined[service.name]!(reports));
    assert(accepted >= 2, `${accepted}`);
    const states = await Promise.all(sends.map((id) => readSendState(world.sql, id)));
    assert.deepEqual(states.map(({ state, feedback }) => [state, feedback]), [
      ["sent", "bounced"],
      ["sent", "bounced"],
    ]);
    const suppressed = (await world.suppressed()).map(({ address }) => address);
    assert.deepEqual(suppressed.filter((address) => address !== stranger), [ada, bob]);
    const bounces = (await world.events()).filter(({ name }) => name === "email_bounced");
    const named = bounces.filter(({ properties }) => sends.includes(`${properties.send_id}`));
    assert.deepEqual(named.map(({ properties }) => properties.email).sort(), [ada, bob]);
  });
}

Deno.test("sendgrid: events of one payload in the wrong order leave the same state", async () => {
  const service = emailServices.find(({ name }) => name === "sendgrid")!;
  await using world = await createFeedbackWorld(service);
  const sendId = await world.send({ state: "sending" });
  const kinds = ["complained", "delivered", "mailbox_full"] as const;
  const at = Date.now() - hour;
  const payload = kinds.flatMap((kind, i) =>
    service.write({ kind, email: ada, sendId, at: new Date(at - i * 1000) }, `report-${i}`)
  );
  await world.deliver(payload);
  const { state, feedback } = await readSendState(world.sql, sendId);
  assert.deepEqual([state, feedback], ["sent", "complained"]);
});
