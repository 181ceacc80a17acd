import assert from "node:assert/strict";
import type { ClaimedDelivery } from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { createLanes } from "../../supabase/functions/webhook-dispatch/lanes.ts";

function delivery(
  destination_id: string,
  message_id: string,
  max_concurrency = 2,
): ClaimedDelivery {
  return {
    claim: "claim",
    workspace_id: "workspace",
    destination_id,
    message_id,
    message_created_at: new Date(0),
    event_type: "order_created",
    body: "{}",
    url: "https://receiver.test",
    secrets: [],
    max_concurrency,
    attempt_number: 1,
    try_number: 1,
    trigger: "event",
  };
}

/** Sends nothing until it is told that a message is sent. */
function createSender() {
  const sending = new Map<string, () => void>();
  return {
    sending,
    send: ({ message_id }: ClaimedDelivery) =>
      new Promise<void>((resolve) => {
        sending.set(message_id, () => {
          sending.delete(message_id);
          resolve();
        });
      }),
  };
}

Deno.test("each destination sends as many at once as it may, whatever others do", async () => {
  const { send, sending } = createSender();
  const lanes = createLanes(send);

  lanes.add(["1", "2", "3", "4"].map((id) => delivery("slow", id)));
  lanes.add([delivery("other", "5")]);
  assert.deepEqual([...sending.keys()], ["1", "2", "5"]);
  assert.equal(lanes.size, 5);
  sending.get("1")!();
  await Promise.resolve();

  assert.deepEqual([...sending.keys()].sort(), ["2", "3", "5"]);
  assert.equal(lanes.size, 4);
});

Deno.test("what waits can be taken back, what is being sent cannot", async () => {
  const { send, sending } = createSender();
  const lanes = createLanes(send);
  lanes.add(["1", "2", "3"].map((id) => delivery("a", id)));
  lanes.add(["4", "5", "6"].map((id) => delivery("b", id)));

  assert.deepEqual(lanes.takeWaiting(-Infinity), []);
  assert.deepEqual(lanes.takeLane("a").map((d) => d.message_id), ["3"]);
  assert.deepEqual(lanes.takeLane("unknown"), []);
  assert.deepEqual(lanes.takeWaiting(Infinity).map((d) => d.message_id), ["6"]);
  assert.equal(lanes.size, 4);

  const isEmpty = lanes.empty();
  for (const finish of [...sending.values()]) finish();
  await isEmpty;
  assert.equal(lanes.size, 0);
});
