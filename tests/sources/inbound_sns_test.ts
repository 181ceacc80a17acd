import assert from "node:assert/strict";
import {
  createInboundWorld,
  type InboundWorld,
  type TestSource,
} from "../../testing/data/inbound.ts";
import { createSigningIdentity, endedYesterday } from "../../testing/receivers/certificates.ts";
import {
  certificateUrl,
  notification,
  type SnsFields,
  startSns,
  subscription,
  type TestSns,
  topicArn,
} from "../../testing/senders/sns.ts";

const mapping = {
  name: "/Message/notificationType",
  names: { Bounce: "email_bounced" },
  external_id: "/Message/mail/tags/user",
  properties: { feedback: "/Message/bounce/feedbackId" },
};

interface SnsWorld extends AsyncDisposable {
  world: InboundWorld;
  sns: TestSns;
  source: TestSource;
  /** Status, and what was stored or the error. */
  send(body: string): Promise<{ status: number; body: Record<string, unknown> }>;
}

async function createSnsWorld(options: Parameters<typeof startSns>[0] = {}): Promise<SnsWorld> {
  const sns = await startSns(options);
  const world = await createInboundWorld({ fetch: sns.fetch });
  const source = await world.createSource({ scheme: "sns", topicArn, mapping });
  return {
    world,
    sns,
    source,
    send: async (body) => {
      // As SNS sends it.
      const headers = { "content-type": "text/plain; charset=UTF-8" };
      return await world.post(`/inbound/${source.id}`, { headers, body });
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await sns[Symbol.asyncDispose]();
    },
  };
}

for (const version of ["1", "2"]) {
  Deno.test(`POST /inbound takes what SNS signs by version ${version}, and maps the message in it`, async () => {
    await using at = await createSnsWorld();
    const body = at.sns.sign(notification(), { version });
    const response = await at.send(body);
    assert.deepEqual(
      [response.status, response.body.accepted],
      [200, 1],
      JSON.stringify(response.body),
    );
    const rows = await at.world.db.sql`select name, properties from public.events`;
    assert.deepEqual(rows.map((row) => ({ ...row })), [
      { name: "email_bounced", properties: { feedback: "f1" } },
    ]);
    // The same message again, hours later by another attempt, is the same event.
    assert.equal((await at.send(body)).body.duplicates, 1);
    // A subject is signed where there is one, and may be missing.
    const { Subject: _, ...rest } = notification();
    assert.equal((await at.send(at.sns.sign(rest, { version }))).body.accepted, 1);
    assert.deepEqual(
      at.sns.requests.map(({ method }) => method),
      ["GET"],
      "one certificate fetched",
    );
  });
}

Deno.test("POST /inbound refuses SNS messages without a current signature of the topic", async () => {
  await using at = await createSnsWorld();
  const { sns } = at;
  const stranger = await createSigningIdentity();
  const change = (name: string, value: string) =>
    JSON.stringify({ ...JSON.parse(sns.sign(notification())), [name]: value });
  const old = new Date(Date.now() - 24 * 60 * 60 * 1000 - 60_000).toISOString();
  const ahead = new Date(Date.now() + 6 * 60_000).toISOString();
  const bodies: Record<string, string> = {
    "a message that was changed": change("Message", "{}"),
    "a subject that was added": (() => {
      const { Subject: _, ...rest } = notification();
      return JSON.stringify({ ...JSON.parse(sns.sign(rest)), Subject: "x" });
    })(),
    "an id that was changed": change("MessageId", crypto.randomUUID()),
    "a type that was changed": change("Type", "SubscriptionConfirmation"),
    "a signature of another": sns.sign(notification(), { identity: stranger }),
    "no signature": JSON.stringify(notification()),
    "a version that is unknown": sns.sign(notification(), { version: "3" }),
    "a version that was changed": change("SignatureVersion", "1"),
    "a message from a day ago": sns.sign(notification({ Timestamp: old })),
    "a message from the future": sns.sign(notification({ Timestamp: ahead })),
    "a time that is not a time": sns.sign(notification({ Timestamp: "now" })),
    "another topic": sns.sign(notification({ TopicArn: `${topicArn}2` })),
    "a raw message": '{"notificationType":"Bounce"}',
    "no JSON": "x",
  };
  for (const [title, body] of Object.entries(bodies)) {
    const response = await at.send(body);
    assert.deepEqual([response.status, response.body.code], [401, "unauthorized"], title);
  }
  const rows = await at.world.db.sql`select from public.events`;
  assert.equal(rows.length, 0);
});

Deno.test("POST /inbound fetches certificates only from SNS in the topic's own region", async () => {
  await using at = await createSnsWorld();
  const urls = [
    certificateUrl.replace("https:", "http:"),
    certificateUrl.replace("us-east-1", "us-west-2"),
    certificateUrl.replace("amazonaws.com", "amazonaws.com.cn"),
    certificateUrl.replace("amazonaws.com", "amazonaws.com.attacker.example"),
    certificateUrl.replace("sns.us-east-1.amazonaws.com", "attacker.example"),
    certificateUrl.replace("sns.us-east-1.amazonaws.com", "s3.us-east-1.amazonaws.com"),
    certificateUrl.replace("sns.", "user:password@sns."),
    certificateUrl.replace("amazonaws.com", "amazonaws.com:8443"),
    certificateUrl.replace("amazonaws.com/", "amazonaws.com/bucket/"),
    certificateUrl.replace("amazonaws.com/", "amazonaws.com/?Action=x&y="),
    `${certificateUrl}?x=1`,
    `${certificateUrl}#x`,
    "https://127.0.0.1/SimpleNotificationService.pem",
    "file:///etc/passwd",
    "",
  ];
  for (const SigningCertURL of urls) {
    const response = await at.send(at.sns.sign(notification({ SigningCertURL })));
    assert.equal(response.status, 401, SigningCertURL);
  }
  assert.equal(at.sns.requests.length, 0);
});

Deno.test("POST /inbound returns 503 while the certificate of SNS is unreachable, and then accepts the message", async () => {
  let time = Date.now();
  await using sns = await startSns();
  await using world = await createInboundWorld({ fetch: sns.fetch, now: () => new Date(time) });
  const source = await world.createSource({ scheme: "sns", topicArn, mapping });
  const send = () => world.post(`/inbound/${source.id}`, { body: sns.sign(notification()) });
  sns.failWith(500);
  assert.deepEqual((await send()).body.code, "unavailable");
  sns.failWith(200);
  // A failure is remembered for a while, so that nobody makes us ask again and again.
  assert.deepEqual((await send()).body.code, "unavailable");
  assert.equal(sns.requests.length, 1);
  time += 11_000;
  assert.equal((await send()).status, 200);
});

Deno.test("POST /inbound refuses an expired certificate", async () => {
  await using at = await createSnsWorld({ signer: await createSigningIdentity(endedYesterday()) });
  const response = await at.send(at.sns.sign(notification()));
  assert.deepEqual([response.status, response.body.code], [401, "unauthorized"]);
});

Deno.test("a source causes few certificate fetches, however many it names", async () => {
  await using at = await createSnsWorld();
  const send = async (n: number) => {
    const SigningCertURL = certificateUrl.replace(/[0-9a-f]{32}/, n.toString(16).padStart(32, "0"));
    return (await at.send(at.sns.sign(notification({ SigningCertURL })))).status;
  };
  const statuses = [];
  for (let n = 0; n < 25; n++) statuses.push(await send(n));
  assert.ok(statuses.every((status) => status === 503));
  assert.equal(at.sns.requests.length, 20);
});

Deno.test("a verified subscription is confirmed in the topic's own region of SNS", async () => {
  await using at = await createSnsWorld();
  const confirmations = () => at.sns.requests.filter(({ path }) => path.startsWith("/?")).length;
  const attempts: [string, SnsFields][] = [
    ["another host", { SubscribeURL: subscription().SubscribeURL!.replace("sns.", "evil.") }],
    ["another path", { SubscribeURL: subscription().SubscribeURL!.replace("/?", "/x?") }],
    ["another action", { SubscribeURL: subscription().SubscribeURL!.replace("Confirm", "Un") }],
    ["another topic's", { SubscribeURL: subscription().SubscribeURL!.replace("mail", "other") }],
    ["http", { SubscribeURL: subscription().SubscribeURL!.replace("https", "http") }],
  ];
  for (const [title, fields] of attempts) {
    assert.equal((await at.send(at.sns.sign(subscription(fields)))).status, 401, title);
  }
  const stranger = await createSigningIdentity();
  const forged = at.sns.sign(subscription(), { identity: stranger });
  assert.equal((await at.send(forged)).status, 401, "forged");
  assert.equal(confirmations(), 0);

  const response = await at.send(at.sns.sign(subscription()));
  assert.deepEqual([response.status, response.body], [200, { ok: true }]);
  assert.equal(confirmations(), 1);
  at.sns.failWith(500);
  assert.equal((await at.send(at.sns.sign(subscription()))).status, 503, "SNS is to send it again");
  const ended = at.sns.sign(subscription({ Type: "UnsubscribeConfirmation" }));
  assert.deepEqual((await at.send(ended)).body, { ok: true });
  assert.equal(confirmations(), 2, "an unsubscription is not undone");
  const receipts = await at.world.db.sql`
    select outcome from public.inbound_receipts where is_verified order by received_at, id`;
  const outcomes = receipts.map(({ outcome }) => outcome).filter((each) => each !== "refused");
  assert.deepEqual(outcomes, ["handshake", "handshake"]);
});

Deno.test("neither the signature nor the subscription URLs of an SNS message are stored", async () => {
  await using at = await createSnsWorld();
  const refused = notification({ Message: '{"notificationType":"Bounce"}' });
  const unsubscribe = "https://sns.us-east-1.amazonaws.com/?Action=Unsubscribe";
  for (const fields of [notification(), refused, subscription()]) {
    const signed = { ...JSON.parse(at.sns.sign(fields)), UnsubscribeURL: unsubscribe };
    assert.equal((await at.send(JSON.stringify(signed))).status, 200);
  }
  const rows = await at.world.db.sql<{ text: string }[]>`
    select r.body as text from public.inbound_receipts as r
    union all select r.entry from public.rejected_entries as r`;
  assert.equal(rows.length, 4);
  for (const { text } of rows) {
    assert.match(text, /"MessageId"/);
    assert.doesNotMatch(text, /"(?:Signature|Token|SubscribeURL|UnsubscribeURL)"/);
  }
});
