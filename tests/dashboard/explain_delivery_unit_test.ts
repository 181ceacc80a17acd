import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  explainDelivery,
  explainNext,
} from "../../dashboard/src/pages/deliveries/explain_delivery.ts";
import { deliveryErrors } from "../../supabase/functions/api/contract/deliveries.ts";

const guide = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

Deno.test("explainDelivery() and docs/api.md explain every error of a delivery", () => {
  const unknown = explainDelivery({ ok: false, error: "unknown", status_code: null })?.what;
  const texts = deliveryErrors.map((error) =>
    explainDelivery({ ok: false, error, status_code: null })?.what
  );
  assert.equal(new Set([...texts, unknown]).size, deliveryErrors.length + 1);
  for (const error of deliveryErrors) assert.ok(guide.includes(`\n| \`${error}\` | `), error);
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

Deno.test("explainNext() depends on the state of the message", () => {
  const failed = { held_by: null, is_in_progress: false, canceled_at: null };
  const next = (changes: Partial<Parameters<typeof explainNext>[0]>) =>
    explainNext({ ...failed, state: "given_up", ...changes });
  const at = "2026-11-22T10:00:00.000Z";
  assert.match(next({ canceled_at: at }), /was canceled/);
  assert.match(next({ state: "delivered" }), /delivered since/);
  assert.match(next({}), /will not be retried/);
  assert.match(next({ state: "missed" }), /missed/);
  assert.match(next({ state: "held", held_by: "breaker" }), /once an attempt succeeds/);
  assert.match(next({ state: "held", held_by: "disabled" }), /enabled/);
  assert.match(next({ state: "retrying" }), /Retries continue automatically/);
  assert.match(next({ state: "retrying", is_in_progress: true }), /being sent/);
});

Deno.test("explainDelivery() promises no retry, because the message may be canceled", () => {
  const outcomes = [
    ...deliveryErrors.map((error) => ({ error, status_code: null })),
    ...[301, 400, 401, 404, 429, 500, 503].map((status_code) => ({ error: null, status_code })),
  ];
  for (const outcome of outcomes) {
    const { what, remedy } = explainDelivery({ ok: false, ...outcome })!;
    assert.doesNotMatch(`${what} ${remedy}`, /Retries continue|sent again automatically|Resend/);
  }
});
