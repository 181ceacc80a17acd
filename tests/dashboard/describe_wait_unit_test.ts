import assert from "node:assert/strict";
import { describeAttempt } from "../../dashboard/src/pages/sends/describe_attempt.ts";
import { describeWait } from "../../dashboard/src/pages/sends/describe_wait.ts";

type Sender = NonNullable<Parameters<typeof describeWait>[1]>;
type Send = Parameters<typeof describeWait>[0];

const now = new Date("2026-12-01T08:00:00Z");
const refused = { outcome: "retry", reason: "dns" };
const fresh: Send = { reason: null, attempts: [], next_attempt_at: now.toISOString() };

function makeSender(health: Partial<Sender["health"]>, limited_by: string | null = null): Sender {
  const all = { state: "healthy", last_error: null, ...health } as Sender["health"];
  return { id: "s1", name: "Main", health: all, limited_by };
}

function read(send: Partial<Send>, sender: Sender = makeSender({})): [string, string] {
  const { title, color } = describeWait({ ...fresh, ...send }, sender, now);
  return [title, color];
}

Deno.test("describeWait() says what a message waits for", () => {
  assert.deepEqual(read({}), ["Waiting for its turn", "blue"]);
  assert.deepEqual(
    read({ next_attempt_at: "2026-12-01T09:00:00Z" }),
    ["Waiting until it is due", "blue"],
  );
  assert.deepEqual(
    read({}, makeSender({}, "rate")),
    ["Waiting: the limit of messages per second of the sender is reached", "blue"],
  );
  assert.deepEqual(
    read({ reason: "quiet_hours" }),
    ["Waiting: the quiet hours of the customer have not ended", "blue"],
  );
  assert.deepEqual(read({ reason: "paused" }), ["Waiting: the campaign is paused", "yellow"]);
});

Deno.test("describeWait() warns of a sender that does not work, and leads to it", () => {
  const failing = makeSender({ state: "failing", last_error: "dns" });
  assert.deepEqual(describeWait(fresh, failing, now), {
    title: "Waiting: the sender “Main” is failing: the mail server was not found (DNS)",
    color: "yellow",
    step: { label: "Open the sender", path: "/senders/s1" },
  });
  for (const send of [{}, { reason: "dns", attempts: [refused] }]) {
    assert.deepEqual(
      read(send, makeSender({ state: "disabled" })),
      ["Waiting: the sender “Main” is disabled", "yellow"],
    );
  }
});

Deno.test("describeWait() says that an attempt failed", () => {
  assert.deepEqual(
    read({ reason: "dns", attempts: [refused] }),
    ["Attempt 1 failed, will be retried: the mail server was not found (DNS)", "yellow"],
  );
});

Deno.test("describeAttempt() numbers attempts, and says which one is followed by another", () => {
  const attempts = [refused, { outcome: "failed", reason: "unauthorized" }];
  const read = (state: "queued" | "failed", index: number) =>
    describeAttempt({ state, attempts }, index);
  assert.equal(read("queued", 0), "Attempt 1 failed: the mail server was not found (DNS)");
  assert.equal(
    read("queued", 1),
    "Attempt 2 failed, will be retried: the provider refused the credentials of the sender",
  );
  assert.match(read("failed", 1), /^Attempt 2 failed: /);
  assert.equal(
    describeAttempt({ state: "sent", attempts: [{ outcome: "sent", reason: null }] }, 0),
    "Attempt 1: accepted by the provider",
  );
});
