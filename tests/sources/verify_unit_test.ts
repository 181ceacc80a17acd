import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { EventWebhook } from "@sendgrid/eventwebhook";
import { Webhook } from "standardwebhooks";
import { checkSecret } from "../../supabase/functions/_shared/sources/secrets.ts";
import { schemeRules } from "../../supabase/functions/inbound/schemes.ts";
import { readClaim, verifyClaim } from "../../supabase/functions/inbound/verify.ts";
import { type Sender, senderOf, senders } from "../../testing/senders/senders.ts";

const now = new Date("2026-11-01T12:00:00Z");
const body = '{"id":"evt_1","text":"Zoë"}\r\n';
const request = { method: "POST", url: "https://project.example/functions/v1/inbound/1" };

interface Attempt {
  scheme: Sender["scheme"];
  headers: Record<string, string> | Headers;
  body: string;
  secrets: readonly string[];
  at?: Date;
}

function verify({ scheme, headers, body, secrets, at = now }: Attempt): void {
  const rule = schemeRules[scheme];
  const claim = readClaim({ rule, headers: new Headers(headers), now: at })!;
  verifyClaim({ rule, claim, body: new TextEncoder().encode(body), secrets, request });
}

function assertRefused(attempt: Attempt): void {
  assert.throws(() => verify(attempt), { code: "unauthorized", status: 401 });
}

async function signedBy(sender: Sender, at = now): Promise<Attempt> {
  const { scheme, secret } = sender;
  return { scheme, headers: await sender.sign(body, at), body, secrets: [secret] };
}

for (const sender of senders) {
  const { scheme } = sender;

  Deno.test(`verifyClaim() takes what ${scheme}'s own library signed`, async () => {
    assert.equal(checkSecret({ scheme }, sender.secret), undefined);
    verify(await signedBy(sender));
  });

  Deno.test(`matcher() reads a body of ${scheme} once, however many signatures are tried`, async () => {
    const headers = new Headers(await sender.sign(body, now));
    const rule = schemeRules[scheme];
    const claim = readClaim({ rule, headers, now })!;
    const bytes = new TextEncoder().encode(body);
    const matches = rule.matcher({ claim, secret: sender.secret, body: bytes, request });
    bytes.fill(0);
    assert(claim.signatures.every(matches));
  });

  Deno.test(`verifyClaim() refuses a body of ${scheme} that was changed`, async () => {
    const signed = await signedBy(sender);
    assertRefused({ ...signed, body: body.replace("evt_1", "evt_2") });
    assertRefused({ ...signed, body: body.trimEnd() });
    assertRefused({ ...signed, body: "" });
  });

  Deno.test(`verifyClaim() refuses a signature of ${scheme} that was changed`, async () => {
    const { headers, ...signed } = await signedBy(sender);
    const name = sender.signatureHeader;
    const signature = (headers as Record<string, string>)[name] ?? "";
    const last = signature.replace(/[0-9a-zA-Z+/](=*)$/, (character) => {
      return (character[0] === "A" ? "B" : "A") + character.slice(1);
    });
    const wrong = [
      "",
      "=",
      last,
      signature.slice(0, -4),
      `${signature}, ${signature}`,
      recode(signature),
      `"${signature}"`,
    ];
    for (const value of wrong) {
      assertRefused({ ...signed, headers: { ...headers as object, [name]: value } });
    }
  });

  Deno.test(`verifyClaim() refuses a header of ${scheme} that is missing or repeated`, async () => {
    const { headers, ...signed } = await signedBy(sender);
    for (const name of Object.keys(headers)) {
      const missing = new Headers(headers);
      missing.delete(name);
      assertRefused({ ...signed, headers: missing });
      const repeated = new Headers(headers);
      repeated.append(name, repeated.get(name) ?? "");
      assertRefused({ ...signed, headers: repeated });
    }
  });

  Deno.test(`verifyClaim() refuses ${scheme} signed with another secret, or without any`, async () => {
    const signed = await signedBy(sender);
    assertRefused({ ...signed, secrets: [sender.otherSecret] });
    assertRefused({ ...signed, secrets: [] });
  });

  Deno.test(`verifyClaim() takes ${scheme} under each secret of a rotation`, async () => {
    const signed = await signedBy(sender);
    verify({ ...signed, secrets: [sender.otherSecret, sender.secret] });
    verify({ ...signed, secrets: [sender.secret, sender.otherSecret] });
  });
}

const timestamped = ["standard-webhooks", "stripe", "slack", "sendgrid"] as const;

for (const scheme of timestamped) {
  Deno.test(`readClaim() refuses ${scheme} more than 5 minutes off, either way`, async () => {
    const sender = senderOf(scheme);
    for (const seconds of [-300, -299, 0, 299, 300]) {
      verify(await signedBy(sender, new Date(now.getTime() + seconds * 1000)));
    }
    for (const seconds of [-86400, -301, 301, 86400]) {
      assertRefused(await signedBy(sender, new Date(now.getTime() + seconds * 1000)));
    }
  });

  Deno.test(`verifyClaim() refuses ${scheme} with its time moved`, async () => {
    const { headers, ...signed } = await signedBy(senderOf(scheme));
    const old = String(now.getTime() / 1000);
    for (const time of [String(now.getTime() / 1000 + 1), "", "now", "1e9", "-1", ` ${old}0`]) {
      const moved = Object.entries(headers).map((
        [name, value],
      ) => [name, value.replace(old, time)]);
      assertRefused({ ...signed, headers: Object.fromEntries(moved) });
    }
  });
}

Deno.test("verifyClaim() accepts upper-case hex, which some senders' clients write", () => {
  const secret = "a secret";
  const signature = createHmac("sha256", secret).update(body).digest("hex").toUpperCase();
  const signed = { body, secrets: [secret] };
  verify({ ...signed, scheme: "service", headers: { "x-service-signature": signature } });
  verify({
    ...signed,
    scheme: "github",
    headers: { "x-hub-signature-256": `sha256=${signature}` },
  });
});

Deno.test("verifyClaim() accepts the examples that the senders publish", () => {
  verify({
    scheme: "github",
    headers: {
      "x-hub-signature-256":
        "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    },
    body: "Hello, World!",
    secrets: ["It's a Secret to Everybody"],
  });
  verify({
    scheme: "slack",
    headers: {
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    },
    body:
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
    secrets: ["8f742231b10e8888abcd99yyyzzz85a5"],
    at: new Date(1531420618_000),
  });
  verify({
    scheme: "sendgrid",
    headers: {
      "x-twilio-email-event-webhook-signature":
        "MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=",
      "x-twilio-email-event-webhook-timestamp": "1600112502",
    },
    body:
      '[{"email":"hello@world.com","event":"dropped","reason":"Bounced Address","sg_event_id":"ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA","sg_message_id":"LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0","smtp-id":"<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>","timestamp":1600112492}]\r\n',
    secrets: [
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==",
    ],
    at: new Date(1600112502_000),
  });
});

Deno.test("SendGrid's own library accepts the test's SendGrid signatures", async () => {
  const sender = senderOf("sendgrid");
  const headers = await sender.sign(body, now);
  const library = new EventWebhook();
  const accepted = library.verifySignature(
    library.convertPublicKeyToECDSA(sender.secret),
    body,
    headers["x-twilio-email-event-webhook-signature"] ?? "",
    headers["x-twilio-email-event-webhook-timestamp"] ?? "",
  );
  assert.equal(accepted, true);
});

Deno.test("verifyClaim() accepts standard-webhooks with Svix's header names", async () => {
  const sender = senderOf("standard-webhooks");
  const headers = Object.entries(await sender.sign(body, now))
    .map(([name, value]) => [name.replace("webhook-", "svix-"), value]);
  const spellings = [sender.secret, `v1,${sender.secret}`, sender.secret.slice("whsec_".length)];
  for (const secret of spellings) {
    const attempt = { scheme: sender.scheme, headers: Object.fromEntries(headers), body };
    verify({ ...attempt, secrets: [secret] });
  }
});

Deno.test("verifyClaim() skips signatures of unknown versions", async () => {
  const list = async (scheme: "standard-webhooks" | "stripe", make: (good: string) => string) => {
    const signed = await signedBy(senderOf(scheme));
    const name = senderOf(scheme).signatureHeader;
    const good = (signed.headers as Record<string, string>)[name]!;
    return { ...signed, headers: { ...signed.headers as object, [name]: make(good) } };
  };
  const other = "v2,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=";
  for (
    const make of [
      (good: string) => `${other} ${good}`,
      (good: string) =>
        `${good} v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg== ${other}`,
      (good: string) => `v10,x ${good}`,
    ]
  ) verify(await list("standard-webhooks", make));
  verify(await list("stripe", (good) => `${good},v0=abc,v2=a+b/c==,x_y=1`));
  // The senders' own libraries skip these too, even parts that are not a signature at all.
  verify(await list("stripe", (good) => `${good},foo,=,v1=,v1=short`));
  verify(await list("stripe", (good) => good.replace("v1=", "v1=short,v1=")));
  verify(await list("standard-webhooks", (good) => `garbage v1, v1,? ${good} `));
  assertRefused(await list("stripe", (good) => good.replace(/v1=.*/, "v1=short")));
  assertRefused(await list("stripe", (good) => `${good}${",x=1".repeat(60)}`));
  assertRefused(await list("standard-webhooks", () => "garbage"));
  assertRefused(await list("standard-webhooks", (good) => `${"x ".repeat(60)}${good}`));
  // No known version leaves nothing to believe; too many signatures are too much to hash.
  assertRefused(await list("standard-webhooks", () => other));
  assertRefused(await list("stripe", (good) => good.replace("v1=", "v2=")));
  assertRefused(await list("standard-webhooks", (good) => Array(11).fill(good).join(" ")));
  assertRefused(await list("stripe", (good) => `${good}${`,v1=${"0".repeat(64)}`.repeat(10)}`));
});

Deno.test("verifyClaim() uses the bytes of a plain Standard Webhooks secret, as Polar shows it", () => {
  const secret = "polar_whs_ovyN6cPrTv56AApvzCaJno08SSmGJmgbWilb33N2JuK";
  const signed = new Webhook(btoa(secret)).sign("msg_1", now, body);
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(now.getTime() / 1000),
    "webhook-signature": signed,
  };
  const attempt = { scheme: "standard-webhooks", headers, body } as const;
  assert.equal(checkSecret({ scheme: "standard-webhooks" }, secret), undefined);
  verify({ ...attempt, secrets: [secret] });
  verify({ ...attempt, secrets: [btoa(secret)] });
  assertRefused({ ...attempt, secrets: [`${secret}x`] });
});

Deno.test("checkSecret() refuses placeholders from a guide's example", () => {
  for (
    const secret of [
      "<client secret>",
      "${CLIENT_SECRET}",
      "$WEBHOOK_SECRET",
      "{{ secret }}",
      "[signing secret]",
      "client_secret",
      "Signing Secret",
      "your-webhook-secret",
      "changeme",
      "xxxxxxxxxxxx",
      "****************",
      "undefined",
      "null",
      "password",
      "secret",
      "whsec_...",
      "whsec_your_signing_secret",
      "whsec_xxxxxxxxxxxxxxxx",
      "whsec_<secret>",
      "your_client_secret",
      "process.env.WEBHOOK_SECRET",
    ]
  ) assert.match(checkSecret({ scheme: "shopify" }, secret) ?? "", /placeholder/, secret);
  for (
    const secret of [
      "shpss_8f742231b10e8888",
      "my shop's own 8f74",
      "secret-8f742231b10e",
      "{1DaUKCb96Hr.OL}",
    ]
  ) {
    assert.equal(checkSecret({ scheme: "shopify" }, secret), undefined, secret);
  }
});

Deno.test("checkSecret() refuses the user name and password of the guide", () => {
  for (const secret of ["user:password", "username:password", "postmark:<password>"]) {
    assert.match(checkSecret({ scheme: "basic" }, secret) ?? "", /placeholder/, secret);
  }
  assert.equal(checkSecret({ scheme: "basic" }, "postmark:password-8f74"), undefined);
});

Deno.test("checkSecret() accepts random secrets of every form", () => {
  // The same ones in each run: one random text in millions looks like a placeholder.
  let drawn = 0;
  const draw = (outputLength: number) =>
    createHash("shake256", { outputLength }).update(String(drawn++)).digest();
  const characters = (from: string, length: number) =>
    [...draw(length)].map((n) => from[n % from.length]).join("");
  const ascii = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).join("");
  const word = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const base64 = (bytes: number) => draw(bytes).toString("base64");
  const anyOf = () => [characters(ascii, 16), characters(word, 24), base64(32)];
  for (let i = 0; i < 3000; i++) {
    const standard = base64(24);
    for (const secret of [`whsec_${standard}`, `v1,whsec_${standard}`, standard]) {
      assert.equal(checkSecret({ scheme: "standard-webhooks" }, secret), undefined, secret);
    }
    for (const scheme of ["service", "stripe", "shopify", "github", "slack", "mailgun"] as const) {
      for (const secret of [...anyOf(), `whsec_${characters(word, 32)}`]) {
        assert.equal(checkSecret({ scheme }, secret), undefined, secret);
      }
    }
    for (const password of anyOf()) {
      assert.equal(checkSecret({ scheme: "basic" }, `user:${password}`), undefined, password);
    }
  }
});

Deno.test("checkSecret() refuses values that cannot be a scheme's secret", () => {
  assert.match(checkSecret({ scheme: "standard-webhooks" }, "whsec_not base64") ?? "", /base64/);
  assert.match(checkSecret({ scheme: "standard-webhooks" }, "whsec_aGk=") ?? "", /16 to 128 bytes/);
  assert.match(checkSecret({ scheme: "sendgrid" }, btoa("no key")) ?? "", /public key/);
  assert.match(checkSecret({ scheme: "stripe" }, "short") ?? "", /8 to 255/);
  assert.match(checkSecret({ scheme: "slack" }, " 8f742231b10e8888 ") ?? "", /spaces/);
});

/** A hex signature as base64, a base64 one as hex. */
function recode(signature: string): string {
  const hex = /[0-9a-f]{64}/.exec(signature)?.[0];
  if (hex !== undefined) {
    return signature.replace(
      hex,
      btoa(String.fromCharCode(
        ...hex.match(/../g)!.map((pair) => parseInt(pair, 16)),
      )),
    );
  }
  const base64 = /[A-Za-z0-9+/]{40,}=*/.exec(signature)?.[0] ?? "";
  const bytes = Array.from(atob(base64), (character) => character.charCodeAt(0));
  return signature.replace(
    base64,
    bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(""),
  );
}
