import assert from "node:assert/strict";
import {
  explainReason,
  explainSuppression,
  summarizeSend,
} from "../../dashboard/src/pages/sends/describe_send.ts";

function summarize(state: "sent" | "queued" | "skipped", reason: string | null): string {
  const nothing = { feedback: null, opened_at: null, clicked_at: null, unsubscribed_at: null };
  return summarizeSend({ ...nothing, state, reason });
}

Deno.test("summarizeSend() says in one line what became of a send, and why", () => {
  assert.equal(summarize("sent", null), "Sent");
  assert.equal(summarize("skipped", "no_address"), "Not sent: the customer had no address");
  assert.equal(summarize("queued", "paused"), "Waiting: the campaign is paused");
  assert.equal(summarize("skipped", "new_reason"), "Not sent: new_reason");
});

Deno.test("explainSuppression() says why an address is suppressed, or that it no longer is", () => {
  assert.match(explainSuppression("hard_bounce"), /^The address is suppressed: .*bounced/);
  assert.equal(explainSuppression("new_reason"), "The address is suppressed: new_reason.");
  assert.equal(
    explainSuppression("manual"),
    "The address is suppressed: added manually or through the API.",
  );
  assert.match(explainSuppression(null), /no longer/);
});

Deno.test("explainReason() makes a sentence of a code, and keeps one that it does not know", () => {
  assert.equal(explainReason("dns"), "The mail server was not found (DNS).");
  assert.equal(explainReason("new_reason"), "new_reason");
});
