import assert from "node:assert/strict";
import { findNextStep, findStepOfCheck } from "../../dashboard/src/pages/sends/find_next_step.ts";

const facts = {
  customer_id: "c1",
  email: "ada@example.com",
  sender: "s1",
  template: { id: "t1", version: 2, name: "Offer" },
};

function pathFor(reason: string | null, more: { customer_id?: null; template?: null } = {}) {
  return findNextStep({ ...facts, reason, ...more })?.path;
}

Deno.test("findNextStep() leads to where the reason of an unsent message can be settled", () => {
  assert.deepEqual(findNextStep({ ...facts, reason: "suppressed" }), {
    label: "Open the suppression",
    path: "/suppressions",
    search: { email: "ada@example.com" },
  });
  assert.equal(pathFor("unsubscribed"), "/customers/c1");
  assert.equal(pathFor("no_address"), "/customers/c1");
  assert.equal(pathFor("capped"), "/settings");
  assert.equal(pathFor("unauthorized"), "/senders/s1");
  assert.equal(pathFor("dns"), "/senders/s1");
  assert.equal(pathFor("missing_variable"), "/templates/t1");
  assert.equal(
    findNextStep({ ...facts, campaign_id: "p1", reason: "paused" })?.path,
    "/campaigns/p1",
  );
});

Deno.test("findNextStep() leads nowhere if nothing can be done, or the thing is gone", () => {
  for (const reason of [null, "too_late", "merged", "new_reason"]) {
    assert.equal(pathFor(reason), undefined, `for "${reason}"`);
  }
  assert.equal(pathFor("no_address", { customer_id: null }), undefined);
  assert.equal(pathFor("missing_variable", { template: null }), undefined);
});

Deno.test("findStepOfCheck() leads to where a check can be settled that stops messages", () => {
  type Check = Parameters<typeof findStepOfCheck>[0];
  const find = (subject: Check["subject"], sender_id: string | null = null) =>
    findStepOfCheck({ subject, sender_id }, {
      customer: { id: "c1", email: "ada@example.com" },
      campaign_id: "p1",
    });
  assert.deepEqual(find("suppression"), {
    label: "Open the suppression",
    path: "/suppressions",
    search: { email: "ada@example.com" },
  });
  assert.equal(find("consent")?.path, "/customers/c1");
  assert.equal(find("caps")?.path, "/settings");
  assert.equal(find("sender", "s1")?.path, "/senders/s1");
  assert.equal(find("campaign")?.path, "/campaigns/p1");
  assert.equal(find("entry"), null);
});
