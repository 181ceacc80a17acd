import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import { parseAllowedCidrs } from "../../supabase/functions/_shared/outbound/addresses.ts";
import type { EmailMessage } from "../../supabase/functions/send-dispatch/providers/provider.ts";
import { handOverBySmtp } from "../../supabase/functions/send-dispatch/providers/smtp.ts";
import { createTestAuthority } from "../../testing/receivers/certificates.ts";
import {
  type SmtpBehaviour,
  type SmtpReceiverOptions,
  startSmtpReceiver,
} from "../../testing/receivers/smtp_receiver.ts";

const host = "mail.example.com";
const authority = await createTestAuthority();
const identity = await authority.issue(host);

const message: EmailMessage = {
  sendId: "01a20482-676a-7a3c-903b-89c6e39cffc3",
  messageId: "<01a20482-676a-7a3c-903b-89c6e39cffc3@acme.example>",
  from: "Acme Größe <hello@acme.example>",
  replyTo: "help@acme.example",
  to: "ada@example.com",
  subject: "مرحبا 🎉 Hello",
  html: `<p>${"long line ".repeat(200)}</p>`,
  text: ".\r\n..dots\r\nمرحبا 🎉",
  headers: {
    "List-Unsubscribe": "<https://example.com/links/u/token>",
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  },
};

interface Case extends Omit<SmtpReceiverOptions, "identity"> {
  allowed?: string;
}

async function handOver({ allowed = "127.0.0.0/8", ...options }: Case) {
  await using server = await startSmtpReceiver({ identity, ...options });
  const result = await handOverBySmtp({
    message,
    config: {
      host,
      port: server.port,
      secure: options.isSecure ?? false,
      username: "user",
      password: "pass",
    },
    senderId: "sender",
    concurrency: 1,
  }, {
    allowed: parseAllowedCidrs(allowed),
    resolve: () => Promise.resolve(["127.0.0.1"]),
    ca: authority.cert,
    connectTimeoutMs: 2_000,
    socketTimeoutMs: 2_000,
  });
  return { ...result, messages: server.messages, connections: server.connections };
}

for (const isSecure of [true, false]) {
  const way = isSecure ? "TLS from the first byte" : "STARTTLS";
  Deno.test(`handOverBySmtp() sends by ${way} under the host's name`, async () => {
    const { outcome, statusCode, response, messages } = await handOver({ isSecure });
    assert.deepEqual([outcome, statusCode, response], ["sent", 250, "250 queued as 1"]);
    const [sent] = messages;
    assert.deepEqual([messages.length, sent?.isEncrypted, sent?.name], [1, true, host]);
  });
}

Deno.test("postal-mime reads every part of an email sent by SMTP", async () => {
  const { messages } = await handOver({ isSecure: true });
  const { source } = messages[0]!;
  assert(source.split("\r\n").every((line) => line.length <= 998), "lines of 998 at most");
  const read = await PostalMime.parse(source);
  assert.equal(read.messageId, message.messageId);
  assert.equal(read.subject, message.subject);
  assert.deepEqual([read.from?.name, read.from?.address], ["Acme Größe", "hello@acme.example"]);
  assert.equal(read.to?.[0]?.address, "ada@example.com");
  assert.equal(read.replyTo?.[0]?.address, "help@acme.example");
  assert.equal(read.html?.trim(), message.html);
  assert.equal(read.text?.trim().replaceAll("\r\n", "\n"), message.text!.replaceAll("\r\n", "\n"));
  const header = (key: string) => read.headers.find((one) => one.key === key)?.value;
  assert.equal(header("list-unsubscribe"), message.headers["List-Unsubscribe"]);
  assert.equal(header("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
});

const behaviours: { title: string; behaviour: SmtpBehaviour; expected: unknown[] }[] = [
  ...(["MAIL", "RCPT", "DATA", "dot"] as const).flatMap((step) => [
    ...[421, 450, 452].map((code) => ({
      title: `${code} at ${step}`,
      behaviour: { [step]: `${code} later` },
      expected: ["retry", "temporary_refusal", code],
    })),
    ...[550, 552, 554].map((code) => ({
      title: `${code} at ${step}`,
      behaviour: { [step]: `${code} never` },
      expected: ["failed", "rejected", code],
    })),
  ]),
  {
    title: "421 as the greeting",
    behaviour: { greeting: "421 busy" },
    expected: ["retry", "temporary_refusal", 421],
  },
  {
    title: "a wrong password",
    behaviour: { AUTH: "535 no" },
    expected: ["failed", "unauthorized", 535],
  },
  {
    title: "a connection lost at RCPT",
    behaviour: { RCPT: "close" },
    expected: ["retry", "connection_failed", null],
  },
  {
    title: "a connection lost after the final dot",
    behaviour: { dot: "close" },
    expected: ["unknown", "connection_lost", null],
  },
  {
    title: "a refused STARTTLS",
    behaviour: { STARTTLS: "454 no" },
    expected: ["retry", "tls", 454],
  },
];

for (const { title, behaviour, expected } of behaviours) {
  Deno.test(`handOverBySmtp() decides about ${title}`, async () => {
    const { outcome, reason, statusCode } = await handOver({ behaviour });
    assert.deepEqual([outcome, reason, statusCode], expected);
  });
}

Deno.test("handOverBySmtp() sends nothing without TLS", async () => {
  const { outcome, messages } = await handOver({ offersTls: false });
  assert.deepEqual([outcome, messages.length], ["retry", 0]);
});

Deno.test("handOverBySmtp() refuses a certificate of another name", async () => {
  const other = await authority.issue("other.example.com");
  await using server = await startSmtpReceiver({ identity: other, isSecure: true });
  const result = await handOverBySmtp({
    message,
    config: { host, port: server.port, secure: true },
    senderId: "sender",
    concurrency: 1,
  }, {
    allowed: parseAllowedCidrs("127.0.0.0/8"),
    resolve: () => Promise.resolve(["127.0.0.1"]),
    ca: authority.cert,
  });
  assert.equal(result.outcome, "retry");
  assert.equal(server.messages.length, 0);
});

Deno.test("handOverBySmtp() connects to no address on our network", async () => {
  const { outcome, reason, connections } = await handOver({ allowed: "10.0.0.0/8" });
  assert.deepEqual([outcome, reason, connections], ["retry", "dns", 0]);
});
