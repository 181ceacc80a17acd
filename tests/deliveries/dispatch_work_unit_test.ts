import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { createGuardedFetch } from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { createSecretBox } from "../../supabase/functions/_shared/secrets/secrets.ts";
import type {
  AttemptResult,
  ClaimedDelivery,
} from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { createDispatchWork } from "../../supabase/functions/webhook-dispatch/dispatch_work.ts";

const delivery: ClaimedDelivery = {
  claim: "claim",
  workspace_id: "workspace",
  destination_id: "destination",
  message_id: "message",
  message_created_at: new Date(0),
  event_type: "order_created",
  body: "{}",
  url: "https://receiver.test",
  secrets: [],
  headers: null,
  max_concurrency: 2,
  attempt_number: 1,
  try_number: 1,
  trigger: "event",
};

async function createWork() {
  return createDispatchWork({
    sql: connectDatabase({ url: "postgres://127.0.0.1:1/unused", applicationName: "unused" }),
    fetch: createGuardedFetch(),
    secrets: await createSecretBox(randomBytes(32).toString("base64")),
    log: createLog({ name: "test", write: () => {} }),
    now: () => new Date(0),
    random: () => 0.5,
  }, []);
}

Deno.test("a rejected result is recorded without the receiver's text, and is then given up", async () => {
  const { simplify, giveBack } = await createWork();
  const result: AttemptResult = {
    ...giveBack(delivery),
    response_snippet: "bad",
    response_headers: { server: "bad" },
  };

  const simpler = simplify!(result);

  assert.deepEqual(simpler, { ...result, response_snippet: null, response_headers: null });
  assert.deepEqual(simplify!({ ...result, response_snippet: null }), simpler);
  assert.equal(simplify!(simpler!), undefined);
});

Deno.test("only an attempt that failed holds up its destination", async () => {
  const { isLaneFailing, giveBack } = await createWork();
  const released = giveBack(delivery);

  assert.equal(isLaneFailing(released), false);
  assert.equal(isLaneFailing({ ...released, action: "retry" }), true);
  assert.equal(isLaneFailing({ ...released, action: "delivered", ok: true }), false);
});
