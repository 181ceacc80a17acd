import assert from "node:assert/strict";
import { createSelfSigned, createTestAuthority } from "../../testing/receivers/certificates.ts";
import type { Behaviour } from "../../testing/receivers/receiver.ts";
import {
  closeAfterRequest,
  endInResponse,
  hang,
  redirect,
  resetAfterRequest,
  respond,
  sendRaw,
} from "../../testing/receivers/receiver_behaviours.ts";
import {
  type SmtpReceiverOptions,
  type SmtpStep,
  startSmtpReceiver,
} from "../../testing/receivers/smtp_receiver.ts";
import {
  createSendWorld,
  type SendWorld,
  type SendWorldOptions,
} from "../../testing/service/send_world.ts";

const host = "mail.example.com";
const authority = await createTestAuthority();
const identity = await authority.issue(host);
const dayMs = 24 * 60 * 60 * 1_000;
const expired = await authority.issue(host, {
  notBefore: new Date(Date.now() - 9 * dayMs),
  notAfter: new Date(Date.now() - dayMs),
});

/** A message after one attempt. */
interface Outcome {
  state: "sent" | "queued" | "failed" | "unknown";
  /** Of the entry in the log: outcome, reason and status. */
  attempt: [outcome: string, reason: string | null, status: number | null];
  /** Seconds until the next attempt; null if there is none. */
  retry: number | null;
  /** Failures of the sender, which its breaker counts. */
  failures: 0 | 1;
  /** Reason of the suppression of the address. */
  suppressed: "hard_bounce" | null;
  events: string[];
}

const minute = 60;
const none: Pick<Outcome, "retry" | "failures" | "suppressed" | "events"> = {
  retry: null,
  failures: 0,
  suppressed: null,
  events: [],
};

/** The recipient cannot get it now. */
const later = (reason: string, status: number | null): Outcome => ({
  ...none,
  state: "queued",
  attempt: ["retry", reason, status],
  retry: minute,
});
/** The sender cannot send now. */
const broken = (reason: string, status: number | null = null): Outcome => ({
  ...later(reason, status),
  failures: 1,
});
const refused = (status: number, reason = "rejected"): Outcome => ({
  ...none,
  state: "failed",
  attempt: ["failed", reason, status],
  events: ["email_failed"],
});
const bounced = (status: number): Outcome => ({
  ...refused(status),
  suppressed: "hard_bounce",
  events: ["email_failed", "email_bounced"],
});
const denied = (status: number): Outcome => ({
  ...broken("unauthorized", status),
  attempt: ["failed", "unauthorized", status],
});
const open = (reason: string, status: number | null = null): Outcome => ({
  ...none,
  state: "unknown",
  attempt: ["unknown", reason, status],
  failures: 1,
});
/** A provider that takes an idempotency key gets it again. */
const repeated = (reason: string): Outcome => ({
  ...open(reason),
  state: "queued",
  retry: minute,
});
const sent = (status: number): Outcome => ({
  ...none,
  state: "sent",
  attempt: ["sent", null, status],
  events: ["email_sent"],
});

type SmtpCase = [title: string, Partial<SmtpReceiverOptions>, Outcome];

/** Every command, and each code of the contract. */
const refusals: SmtpCase[] =
  (["greeting", "EHLO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA", "dot"] as const)
    .flatMap((step: SmtpStep) =>
      [421, 450, 452, 550, 552, 554].map((code): SmtpCase => [
        `${code} at ${step}`,
        { behaviour: { [step]: `${code} no` } },
        describeRefusal(step, code),
      ])
    );

function describeRefusal(step: SmtpStep, code: number): Outcome {
  if (step === "STARTTLS") return broken("tls", code);
  if (code === 421) return broken("temporary_refusal", code);
  if (code < 500) return later("temporary_refusal", code);
  return step === "AUTH" ? denied(code) : refused(code);
}

/** The server falls silent, breaks off or talks nonsense: nothing was sent before the last dot. */
const nonsense: SmtpCase[] =
  (["greeting", "EHLO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA"] as const)
    .flatMap((step: SmtpStep): SmtpCase[] => [
      [`silence at ${step}`, { behaviour: { [step]: "hang" } }, broken("timeout")],
      [
        `a lost connection at ${step}`,
        { behaviour: { [step]: "close" } },
        broken("connection_failed"),
      ],
    ]);

const smtpCases: SmtpCase[] = [
  ["nothing unusual", {}, sent(250)],
  ...refusals,
  ...nonsense,
  ["an unknown mailbox", { behaviour: { RCPT: "550 5.1.1 unknown" } }, bounced(550)],
  ["a mailbox that has moved", { behaviour: { RCPT: "551 5.1.6 moved" } }, bounced(551)],
  ["a full mailbox", { behaviour: { RCPT: "552 5.2.2 full" } }, refused(552)],
  ["a refusal by policy", { behaviour: { dot: "554 5.7.1 spam" } }, refused(554)],
  ["wrong credentials", { behaviour: { AUTH: "535 no" } }, denied(535)],
  ["credentials that cannot be checked now", { behaviour: { AUTH: "454 later" } }, {
    ...later("temporary_refusal", 454),
  }],
  ["no STARTTLS", { offersTls: false }, broken("tls", 502)],
  ["a refused STARTTLS", { behaviour: { STARTTLS: "454 no" } }, broken("tls", 454)],
  ["a self-signed certificate", { identity: await createSelfSigned(host) }, broken("tls")],
  ["an expired certificate", { identity: expired }, broken("tls")],
  [
    "a certificate of another name",
    { identity: await authority.issue("other.example.com") },
    broken("tls"),
  ],
  ["a self-signed certificate from the first byte", {
    identity: await createSelfSigned(host),
    isSecure: true,
  }, broken("tls")],
  ["a certificate of another name from the first byte", {
    identity: await authority.issue("other.example.com"),
    isSecure: true,
  }, broken("tls")],
  ["a web server", { behaviour: { greeting: "HTTP/1.1 400 Bad Request" } }, {
    ...broken("invalid_response"),
  }],
  ["garbage at RCPT", { behaviour: { RCPT: "\u0000\u0001" } }, broken("invalid_response")],
  ["garbage at DATA", { behaviour: { DATA: "what?" } }, broken("invalid_response")],
  ["bytes without end", { behaviour: { greeting: "flood" } }, broken("invalid_response")],
  ["bytes without end at RCPT", { behaviour: { RCPT: "flood" } }, broken("invalid_response")],
  ["a reply without end", { behaviour: { EHLO: "drip" } }, broken("timeout")],
  ["silence after the final dot", { behaviour: { dot: "hang" } }, open("timeout")],
  ["a lost connection after the final dot", { behaviour: { dot: "close" } }, {
    ...open("connection_lost"),
  }],
  ["garbage after the final dot", { behaviour: { dot: "thanks" } }, open("invalid_response")],
  [
    "a code that does not exist after the final dot",
    { behaviour: { dot: "354 more" } },
    open("invalid_response", 354),
  ],
  [
    "a reply without end after the final dot",
    { behaviour: { dot: "drip" } },
    open("timeout"),
  ],
];

type HttpCase = [title: string, provider: string, Behaviour, Outcome];

const httpCases: HttpCase[] = [
  ...[429, 500, 502, 503].map((status): HttpCase => [
    `${status}`,
    "postmark",
    respond(status),
    status === 429 ? later("rate_limited", 429) : broken("provider_error", status),
  ]),
  [
    "429 with Retry-After",
    "postmark",
    respond(429, { headers: [["Retry-After", "600"]] }),
    { ...later("rate_limited", 429), retry: 600 },
  ],
  [
    "503 with Retry-After",
    "postmark",
    respond(503, { headers: [["Retry-After", "7200"]] }),
    { ...broken("provider_error", 503), retry: 7200 },
  ],
  ["400", "postmark", respond(400, { body: "{" }), refused(400)],
  ["401", "postmark", respond(401), denied(401)],
  ["a redirect", "postmark", redirect(302), refused(302)],
  ["garbage with 200", "postmark", respond(200, { body: "\u0000{" }), sent(200)],
  ["a response that is not HTTP", "postmark", sendRaw("220 smtp ready\r\n"), open("protocol")],
  ["a response that is not HTTP", "resend", sendRaw("220 smtp ready\r\n"), repeated("protocol")],
  ["silence", "postmark", hang(), open("timeout")],
  ["silence", "resend", hang(), repeated("timeout")],
  ["a reset after the request", "sendgrid", resetAfterRequest(), open("connection_reset")],
  ["a close after the request", "mailgun", closeAfterRequest(), {
    ...open("connection_reset"),
  }],
  ["a close after the request", "resend", closeAfterRequest(), {
    ...repeated("connection_reset"),
  }],
  ["a response that breaks off after its status", "postmark", endInResponse(), sent(200)],
  [
    "an address that the provider suppresses",
    "postmark",
    respond(422, { body: '{"ErrorCode":406}' }),
    refused(422, "recipient_suppressed"),
  ],
  [
    "a key of other contents",
    "resend",
    respond(409, { body: '{"name":"invalid_idempotent_request"}' }),
    {
      ...open("idempotency_conflict", 409),
      failures: 0,
    },
  ],
  [
    "a key whose request is under way",
    "resend",
    respond(409, { body: '{"name":"concurrent_idempotent_requests"}' }),
    later("in_progress", 409),
  ],
];

interface Prepared {
  title: string;
  expected: Outcome;
  sender_id: string;
  customer_id: string;
}

async function readOutcome(
  { sql, clock, read, events }: SendWorld,
  { sender_id, customer_id }: Prepared,
  id: string,
): Promise<Outcome> {
  const send = await read(id);
  const [lane] = await sql`
    select l.failures, l.in_flight, extract(epoch from q.due_at - ${clock.now})::float8 as retry
    from private.send_lanes as l
    left join private.send_queue as q on q.sender_id = l.sender_id
    where l.sender_id = ${sender_id}`;
  const [suppression] = await sql`
    select s.reason from public.suppressions as s where s.address = ${send.email}`;
  assert.deepEqual([send.attempts.length, lane!.in_flight], [1, 0]);
  const { outcome, reason, status_code } = send.attempts[0]!;
  return {
    state: send.state as Outcome["state"],
    attempt: [outcome, reason, status_code],
    retry: lane!.retry,
    failures: lane!.failures,
    suppressed: suppression?.reason ?? null,
    events: await events(customer_id),
  };
}

type Times = Pick<SendWorldOptions, "smtpTimes" | "httpDeadlineMs">;

/** Sends a message through each provider, in one run of a worker, and compares what came of it. */
async function compareOutcomes(
  t: Deno.TestContext,
  times: Times,
  isChosen: (expected: Outcome) => boolean,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await createSendWorld({ smtpCa: authority.cert, ...times }));
  await world.sql`update public.plans set max_senders = 1000`;
  const prepared: Prepared[] = [];
  const add = async (title: string, sender_id: string, expected: Outcome) => {
    const customer_id = await world.addCustomer(`c${prepared.length}@example.com`);
    prepared.push({ title, expected, sender_id, customer_id });
  };
  for (const [title, options, expected] of smtpCases.filter((each) => isChosen(each[2]))) {
    const server = stack.use(await startSmtpReceiver({ identity, ...options }));
    const config = { host, port: server.port, secure: options.isSecure ?? false, username: "user" };
    const secrets = { password: "pass" };
    await add(
      `SMTP: ${title}`,
      await world.addSender(0, { provider: "smtp", config, secrets }),
      expected,
    );
  }
  for (const [title, provider, behaviour, expected] of httpCases) {
    if (!isChosen(expected)) continue;
    const { port } = await world.receive({ behaviour });
    const config = { base_url: `http://127.0.0.1:${port}/`, domain: "mg.acme.example" };
    await add(`${provider}: ${title}`, await world.addSender(port, { provider, config }), expected);
  }
  const ids = await world.create(
    ...prepared.map(({ sender_id, customer_id }) => ({ sender_id, customer_id })),
  );
  await world.dispatch();
  for (const [i, each] of prepared.entries()) {
    await t.step(`${each.title}: ${each.expected.state}`, async () => {
      assert.deepEqual(await readOutcome(world, each, ids[i]!), each.expected);
    });
  }
}

const isSilent = ({ attempt: [, reason] }: Outcome) => reason === "timeout";

Deno.test("each refusal of a provider has its log entry, retry and suppression", async (t) => {
  // Nothing times out, also on a busy machine.
  const smtpTimes = { connectTimeoutMs: 30_000, socketTimeoutMs: 30_000, deadlineMs: 60_000 };
  await compareOutcomes(t, { smtpTimes, httpDeadlineMs: 30_000 }, (each) => !isSilent(each));
});

Deno.test("each silence of a provider has its log entry, retry and suppression", async (t) => {
  const smtpTimes = { connectTimeoutMs: 3_000, socketTimeoutMs: 3_000, deadlineMs: 5_000 };
  await compareOutcomes(t, { smtpTimes, httpDeadlineMs: 3_000 }, isSilent);
});

Deno.test("a provider that cannot be reached has not got the message", async () => {
  await using world = await createSendWorld();
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  listener.close();
  const customer_id = await world.addCustomer("ada@example.com");
  for (const provider of ["postmark", "resend"]) {
    const sender_id = await world.addSender(port, { provider });
    const [id] = await world.create({ sender_id, customer_id });
    await world.dispatch();
    const { state, attempts } = await world.read(id!);
    assert.deepEqual([state, attempts.map(({ outcome, reason }) => [outcome, reason])], [
      "queued",
      [["retry", "connection_refused"]],
    ]);
  }
});
