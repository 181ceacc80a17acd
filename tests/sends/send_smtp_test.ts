import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import { createTestAuthority } from "../../testing/receivers/certificates.ts";
import {
  type SmtpReceiverOptions,
  startSmtpReceiver,
} from "../../testing/receivers/smtp_receiver.ts";
import { createSendWorld } from "../../testing/service/send_world.ts";

const host = "mail.example.com";
const authority = await createTestAuthority();
const identity = await authority.issue(host);

/** Sends one message through a server that behaves like this. */
async function sendThrough(options: Omit<SmtpReceiverOptions, "identity">) {
  await using world = await createSendWorld({ smtpCa: authority.cert });
  await using server = await startSmtpReceiver({ identity, ...options });
  const sender_id = await world.addSender(0, {
    provider: "smtp",
    config: { host, port: server.port, secure: options.isSecure ?? false, username: "user" },
    secrets: { password: "pass" },
  });
  const customer_id = await world.addCustomer("ada@example.com");
  const [id] = await world.create({ sender_id, customer_id, topic_id: world.topicId });
  await world.dispatch();
  const send = await world.read(id!);
  const [lane] = await world.sql`select failures from private.send_lanes`;
  const [attempt] = send.attempts;
  const suppressions = await world.sql<
    { reason: string }[]
  >`select reason from public.suppressions`;
  const reasons = suppressions.map(({ reason }) => reason);
  return {
    bounces: { reasons, events: await world.events(customer_id) },
    send,
    messages: server.messages,
    seen: [send.state, attempt?.outcome, attempt?.reason, attempt?.status_code, lane!.failures],
  };
}

Deno.test("a message by SMTP arrives with its headers, and is recorded", async () => {
  const { send, messages, seen } = await sendThrough({ isSecure: true });
  assert.deepEqual(seen, ["sent", "sent", null, 250, 0]);
  const email = await PostalMime.parse(messages[0]!.source);
  const headers = new Map(email.headers.map(({ key, value }) => [key, value]));
  assert.deepEqual([messages.length, email.messageId, email.subject], [
    1,
    send.message_id,
    "Hello Ada",
  ]);
  assert.equal(headers.get("x-signalpost-send"), send.id);
  assert.match(headers.get("list-unsubscribe")!, /^<https:\/\/links\.test\/links\/u\/[\w-]+>$/);
  assert.equal(headers.get("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
});

Deno.test("SMTP: a mailbox that does not exist is suppressed, another refusal is not", async () => {
  const suppressed = async (reply: string) => {
    const { bounces } = await sendThrough({ behaviour: { RCPT: reply } });
    return bounces;
  };
  assert.deepEqual(await suppressed("550 5.1.1 no such user"), {
    reasons: ["hard_bounce"],
    events: ["email_failed", "email_bounced"],
  });
  assert.deepEqual(await suppressed("550 5.7.1 refused by policy"), {
    reasons: [],
    events: ["email_failed"],
  });
});
