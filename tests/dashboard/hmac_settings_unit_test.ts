import assert from "node:assert/strict";
import {
  emptyHmac,
  findSender,
  valuesOf,
  valuesOfSender,
} from "../../dashboard/src/pages/sources/hmac_settings.ts";
import { secretHint, senderLabel } from "../../dashboard/src/pages/sources/schemes.ts";
import { hmacSenders } from "../../supabase/functions/api/contract/hmac_senders.ts";

Deno.test("findSender() recognizes every known sender by its settings", () => {
  for (const name of Object.keys(hmacSenders) as (keyof typeof hmacSenders)[]) {
    const values = valuesOfSender(name);
    assert.equal(findSender({ ...values, header: values.header.toLowerCase() }), name);
  }
});

Deno.test("findSender() returns undefined for other settings", () => {
  assert.equal(findSender(emptyHmac), undefined);
  assert.equal(findSender({ ...valuesOfSender("linear"), encoding: "base64" }), undefined);
});

Deno.test("secretHint() and senderLabel() name a known HMAC sender", () => {
  const hmac = valuesOf(hmacSenders.paddle.settings);
  assert.equal(secretHint("hmac", hmac), hmacSenders.paddle.secret);
  assert.equal(senderLabel({ scheme: "hmac", hmac: hmac as never }), "Paddle");
  assert.equal(secretHint("hmac", emptyHmac), "In the sender’s webhook or app settings");
  assert.equal(senderLabel({ scheme: "stripe", hmac: null }), "Stripe");
});
