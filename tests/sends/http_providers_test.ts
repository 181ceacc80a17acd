import assert from "node:assert/strict";
import { parseAllowedCidrs } from "../../supabase/functions/_shared/outbound/addresses.ts";
import { createGuardedFetch } from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";
import { mailgun } from "../../supabase/functions/send-dispatch/providers/mailgun.ts";
import { postmark } from "../../supabase/functions/send-dispatch/providers/postmark.ts";
import {
  type EmailMessage,
  handOverByHttp,
  type HttpProvider,
} from "../../supabase/functions/send-dispatch/providers/provider.ts";
import { resend } from "../../supabase/functions/send-dispatch/providers/resend.ts";
import { sendgrid } from "../../supabase/functions/send-dispatch/providers/sendgrid.ts";
import { ses, type SesConfig } from "../../supabase/functions/send-dispatch/providers/ses.ts";

const message: EmailMessage = {
  sendId: "01a20482-676a-7a3c-903b-89c6e39cffc3",
  messageId: "<01a20482-676a-7a3c-903b-89c6e39cffc3@acme.example>",
  from: "Acme <hello@acme.example>",
  replyTo: null,
  to: "ada@example.com",
  subject: "Grüße 🎉",
  html: "<p>Hello</p>",
  text: "Hello",
  headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
};

interface Answer {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

interface Received {
  path: string;
  headers: Headers;
  body: string;
}

/** Hands the message to a server that answers like this, or closes the connection for null. */
async function handOver<Config extends { base_url?: string | undefined }>(
  provider: HttpProvider<Config>,
  config: Config,
  answer: Answer | null,
) {
  const received: Received[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      received.push({ path: pathname, headers: request.headers, body: await request.text() });
      if (answer === null) throw new Error("Cannot answer: told not to");
      const { status, body = "", headers = {} } = answer;
      return new Response(body, { status, headers });
    },
  );
  const http = createGuardedFetch({ allowed: parseAllowedCidrs("127.0.0.0/8") });
  try {
    const result = await handOverByHttp(provider, http, {
      message,
      config: { ...config, base_url: `http://127.0.0.1:${server.addr.port}/` },
      senderId: "sender",
      concurrency: 1,
    });
    return { result, request: received[0]! };
  } finally {
    await http.close();
    await server.shutdown();
  }
}

const key: { api_key: string; base_url?: string } = { api_key: "secret" };

Deno.test("Resend gets the send's id as idempotency key", async () => {
  const { result, request } = await handOver(resend, key, { status: 200, body: '{"id":"r-1"}' });
  assert.deepEqual([result.outcome, result.providerId], ["sent", "r-1"]);
  assert.equal(request.path, "/emails");
  assert.equal(request.headers.get("idempotency-key"), message.sendId);
  assert.equal(request.headers.get("authorization"), "Bearer secret");
  assert.deepEqual(JSON.parse(request.body), {
    from: message.from,
    to: [message.to],
    subject: message.subject,
    html: message.html,
    text: message.text,
    headers: { ...message.headers, "Message-ID": message.messageId },
    tags: [{ name: "send_id", value: message.sendId }],
  });
});

Deno.test("Postmark keeps our Message-ID", async () => {
  const body = '{"ErrorCode":0,"MessageID":"p-1"}';
  const { result, request } = await handOver(postmark, key, { status: 200, body });
  assert.deepEqual([result.outcome, result.providerId], ["sent", "p-1"]);
  assert.equal(request.headers.get("x-postmark-server-token"), "secret");
  const sent = JSON.parse(request.body);
  assert.deepEqual(sent.Headers.slice(1), [
    { Name: "Message-ID", Value: message.messageId },
    { Name: "X-PM-KeepID", Value: "true" },
  ]);
  assert.deepEqual(sent.Metadata, { send_id: message.sendId });
});

Deno.test("Postmark's inactive recipient is a recipient that it suppresses", async () => {
  const body = '{"ErrorCode":406,"Message":"inactive"}';
  const { result } = await handOver(postmark, key, { status: 422, body });
  assert.deepEqual([result.outcome, result.reason], ["failed", "recipient_suppressed"]);
});

Deno.test("SendGrid gets name and address apart, and tracks nothing itself", async () => {
  const { result, request } = await handOver(sendgrid, key, { status: 202 });
  assert.deepEqual([result.outcome, result.providerId], ["sent", null]);
  const sent = JSON.parse(request.body);
  assert.deepEqual(sent.from, { email: "hello@acme.example", name: "Acme" });
  assert.deepEqual(sent.personalizations, [
    { to: [{ email: message.to }], custom_args: { send_id: message.sendId } },
  ]);
  assert.deepEqual(sent.content.map(({ type }: { type: string }) => type), [
    "text/plain",
    "text/html",
  ]);
  assert.equal(sent.tracking_settings.click_tracking.enable, false);
});

Deno.test("Mailgun gets a form with our Message-Id", async () => {
  const config = { ...key, domain: "mg.acme.example" };
  const { result, request } = await handOver(mailgun, config, {
    status: 200,
    body: '{"id":"<m@x>"}',
  });
  assert.deepEqual([result.outcome, result.providerId], ["sent", "<m@x>"]);
  assert.equal(request.path, "/v3/mg.acme.example/messages");
  assert.equal(request.headers.get("authorization"), `Basic ${btoa("api:secret")}`);
  const form = new URLSearchParams(request.body);
  assert.equal(form.get("h:Message-Id"), message.messageId);
  assert.equal(form.get("h:List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
  assert.equal(form.get("v:send_id"), message.sendId);
});

Deno.test("SES gets a signed request with our tag", async () => {
  const config: SesConfig = {
    access_key_id: "AKID",
    secret_access_key: "x",
    region: "eu-west-1",
  };
  const { result, request } = await handOver(ses, config, {
    status: 200,
    body: '{"MessageId":"s-1"}',
  });
  assert.deepEqual([result.outcome, result.providerId], ["sent", "s-1"]);
  assert.equal(request.path, "/v2/email/outbound-emails");
  assert.match(
    request.headers.get("authorization") ?? "",
    /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/ses\/aws4_request, SignedHeaders=/,
  );
  const sent = JSON.parse(request.body);
  assert.deepEqual(sent.EmailTags, [{ Name: "send_id", Value: message.sendId }]);
  assert.deepEqual(sent.Content.Simple.Headers, [
    { Name: "List-Unsubscribe-Post", Value: "List-Unsubscribe=One-Click" },
  ]);
});

const answers: { title: string; answer: Answer | null; once: unknown[] }[] = [
  {
    title: "429",
    answer: { status: 429, headers: { "retry-after": "7" } },
    once: ["retry", "rate_limited", "7"],
  },
  { title: "500", answer: { status: 500 }, once: ["retry", "provider_error", null] },
  {
    title: "503",
    answer: { status: 503, body: "<html>" },
    once: ["retry", "provider_error", null],
  },
  { title: "401", answer: { status: 401 }, once: ["failed", "unauthorized", null] },
  { title: "422", answer: { status: 422, body: "{" }, once: ["failed", "rejected", null] },
  { title: "garbage with 200", answer: { status: 200, body: "\0" }, once: ["sent", null, null] },
];

for (const { title, answer, once } of answers) {
  Deno.test(`HTTP providers: ${title}`, async () => {
    for (const provider of [resend, sendgrid]) {
      const { result } = await handOver(provider, key, answer);
      assert.deepEqual([result.outcome, result.reason, result.retryAfter], once);
    }
  });
}

Deno.test("HTTP providers: nothing listens, so nothing was sent", async () => {
  const http = createGuardedFetch({ allowed: parseAllowedCidrs("127.0.0.0/8") });
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  listener.close();
  const config = { ...key, base_url: `http://127.0.0.1:${port}` };
  const call = { message, config, senderId: "sender", concurrency: 1 };
  const { outcome, reason } = await handOverByHttp(sendgrid, http, call);
  assert.deepEqual([outcome, reason], ["retry", "connection_refused"]);
  await http.close();
});

Deno.test("HTTP providers: a connection lost after the request is unknown, with a key too", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const serving = (async () => {
    for await (const connection of listener) {
      await connection.read(new Uint8Array(65_536));
      connection.close();
    }
  })();
  const http = createGuardedFetch({ allowed: parseAllowedCidrs("127.0.0.0/8") });
  const config = { ...key, base_url: `http://127.0.0.1:${listener.addr.port}` };
  const call = { message, config, senderId: "sender", concurrency: 1 };
  assert.equal((await handOverByHttp(sendgrid, http, call)).outcome, "unknown");
  assert.equal((await handOverByHttp(resend, http, call)).outcome, "unknown");
  await http.close();
  listener.close();
  await serving;
});
