import assert from "node:assert/strict";
import {
  completeInput,
  isTestInput,
  startInput,
} from "../../dashboard/src/pages/journeys/simulation/test_input.ts";

Deno.test("a test begins with the event that the journey begins with", () => {
  assert.deepEqual(startInput({ event: "signed_up" }), { events: [{ name: "signed_up" }] });
  assert.deepEqual(startInput({ event: "" }), {});
  assert.deepEqual(startInput({ api: true }), {});
});

Deno.test("a customer is made up unless one is chosen", () => {
  assert.deepEqual(completeInput({}), { profile: {} });
  assert.deepEqual(completeInput({ profile: { country: "DE" } }), { profile: { country: "DE" } });
  assert.deepEqual(completeInput({ customer_id: "c-1" }), { customer_id: "c-1" });
});

Deno.test("fields show JSON of the right form only", () => {
  const input = {
    profile: { email: "ada@example.com" },
    trigger: { cart_id: "c-1" },
    events: [{ name: "signed_up", occurred_at: "2026-12-01T10:00:00Z", properties: { n: 1 } }],
  };
  assert.ok(isTestInput(input));
  assert.ok(isTestInput({}));
  for (
    const other of [
      "{",
      [],
      null,
      { profile: "ada" },
      { trigger: [] },
      { events: {} },
      { events: [{ occurred_at: "2026-12-01T10:00:00Z" }] },
      { events: [{ name: "signed_up", properties: 1 }] },
    ]
  ) assert.ok(!isTestInput(other), JSON.stringify(other));
});
