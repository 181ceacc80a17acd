import assert from "node:assert/strict";
import { explainDelivery } from "../../dashboard/src/pages/deliveries/explain_delivery.ts";

const sendErrors = [
  "timeout",
  "dns",
  "connection_refused",
  "connection_reset",
  "unreachable",
  "tls",
  "address_not_allowed",
  "protocol",
  "network",
  "interrupted",
];

Deno.test("explainDelivery() explains every error of the dispatcher", () => {
  const texts = sendErrors.map((error) =>
    explainDelivery({ ok: false, error, status_code: null })?.what
  );
  assert.equal(new Set(texts).size, sendErrors.length);
});

Deno.test("explainDelivery() names the status and a remedy", () => {
  for (
    const status_code of [301, 400, 401, 403, 404, 405, 410, 413, 415, 429, 500, 502, 503, 504]
  ) {
    const explanation = explainDelivery({ ok: false, error: null, status_code });
    assert.match(explanation?.what ?? "", new RegExp(`${status_code}`));
    assert.notEqual(explanation?.remedy, "");
  }
});

Deno.test("explainDelivery() distinguishes a cut-off response from none", () => {
  const brokenOff = explainDelivery({ ok: false, error: "timeout", status_code: 200 });
  assert.match(brokenOff?.what ?? "", /started to respond \(200\)/);
  const silent = explainDelivery({ ok: false, error: "timeout", status_code: null });
  assert.match(silent?.what ?? "", /did not respond/);
});

Deno.test("explainDelivery() returns null for success", () => {
  assert.equal(explainDelivery({ ok: true, error: null, status_code: 200 }), null);
});
