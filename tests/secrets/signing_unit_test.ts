import assert from "node:assert/strict";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import {
  encodeHeaderValue,
  equalsConstantTime,
  generateSecret,
  signBody,
  signDelivery,
  type SignedDelivery,
  signStandard,
} from "../../supabase/functions/_shared/secrets/signing.ts";

const encoder = new TextEncoder();

function createDelivery(overrides: Partial<SignedDelivery> = {}): SignedDelivery {
  return {
    messageId: "0199a3c4-1d2e-7f00-8000-000000000001",
    eventType: "order_created",
    body: encoder.encode('{"event_type":"order_created","payload":{"total":1.50}}'),
    attemptedAt: new Date(),
    secrets: [generateSecret()],
    ...overrides,
  };
}

Deno.test("generateSecret() returns whsec_ and 32 random bytes in base64", () => {
  const secret = generateSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(secret, generateSecret());
});

Deno.test("signStandard() makes the signature of the published Standard Webhooks vector", () => {
  const signature = signStandard({
    messageId: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: 1614265330,
    body: encoder.encode('{"test": 2432232314}'),
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  });
  assert.equal(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

Deno.test("signBody() matches openssl: hex, keyed with the whole secret as shown", () => {
  // printf '{"a":1}' | openssl dgst -sha256 -hmac 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  assert.equal(
    signBody("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", encoder.encode('{"a":1}')),
    "45ec03b2b33403c8043a90de06bedad0827183927115fd7e448ef97eeb13c5be",
  );
});

Deno.test("signBody() is verified by Web Crypto, which shares no code with it", async () => {
  const { body, secrets: [secret = ""] } = createDelivery();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = encoder.encode(secret);
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
  const signature = Uint8Array.fromHex(signBody(secret, body));
  assert(await crypto.subtle.verify("HMAC", key, signature, Uint8Array.from(body)));
});

Deno.test("signDelivery() makes headers that the published package verifies", () => {
  fc.assert(fc.property(fc.uuid(), fc.json(), (messageId, payload) => {
    const delivery = createDelivery({ messageId, body: encoder.encode(payload) });
    const headers = signDelivery(delivery);
    const [secret = ""] = delivery.secrets;
    assert.deepEqual(new Webhook(secret).verify(payload, headers), JSON.parse(payload));
    assert.equal(headers["webhook-id"], messageId);
  }));
});

Deno.test("signDelivery() sends exactly the headers of the contract", () => {
  const attemptedAt = new Date("2026-11-21T10:00:00.999Z");
  const delivery = createDelivery({ attemptedAt });
  const headers = signDelivery(delivery);
  assert.deepEqual(Object.keys(headers).sort(), [
    "Content-Type",
    "User-Agent",
    "X-Service-Event",
    "X-Service-Signature",
    "webhook-id",
    "webhook-signature",
    "webhook-timestamp",
  ]);
  assert.equal(headers["Content-Type"], "application/json");
  assert.equal(headers["X-Service-Event"], "order_created");
  assert.equal(headers["webhook-timestamp"], "1795255200");
  assert.match(headers["X-Service-Signature"] ?? "", /^[0-9a-f]{64}$/);
});

Deno.test("signDelivery() lets the old and the new secret verify during a rotation", () => {
  const [newest, oldest, stranger] = [generateSecret(), generateSecret(), generateSecret()];
  const delivery = createDelivery({ secrets: [newest, oldest] });
  const headers = signDelivery(delivery);
  const payload = new TextDecoder().decode(delivery.body);
  for (const secret of [newest, oldest]) new Webhook(secret).verify(payload, headers);
  assert.throws(() => new Webhook(stranger).verify(payload, headers));
  assert.equal(headers["X-Service-Signature"], signBody(newest, delivery.body));
});

Deno.test("signDelivery() changes only time and signature from attempt to attempt", () => {
  const first = createDelivery({ attemptedAt: new Date("2026-11-21T10:00:00Z") });
  const retry = { ...first, attemptedAt: new Date("2026-11-21T10:05:00Z") };
  const [before, after] = [signDelivery(first), signDelivery(retry)];
  const changed = Object.keys(before).filter((name) => before[name] !== after[name]);
  assert.deepEqual(changed.sort(), ["webhook-signature", "webhook-timestamp"]);
});

Deno.test("signDelivery() refuses to make an unsigned request", () => {
  assert.throws(() => signDelivery(createDelivery({ secrets: [] })), {
    name: "RangeError",
    message: /has no live secret$/,
  });
});

Deno.test("encodeHeaderValue() never lets a name break out of its header", () => {
  assert.equal(encodeHeaderValue("Order Completed (100%)"), "Order Completed (100%)");
  assert.equal(encodeHeaderValue("注文"), "%E6%B3%A8%E6%96%87");
  assert.equal(encodeHeaderValue("a\r\nX-Admin: 1"), "a%0D%0AX-Admin: 1");
  fc.assert(fc.property(fc.string({ unit: "binary", minLength: 1 }), (name) => {
    assert.match(encodeHeaderValue(name), /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/);
  }));
});

Deno.test("equalsConstantTime() compares for equality", () => {
  fc.assert(fc.property(fc.string(), fc.string(), (left, right) => {
    assert(equalsConstantTime(left, left));
    assert.equal(equalsConstantTime(left, right), left === right);
  }));
});
