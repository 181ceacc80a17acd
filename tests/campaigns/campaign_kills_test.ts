import assert from "node:assert/strict";
import { runKilledCampaign } from "../../testing/service/killed_campaign.ts";

Deno.test("a campaign whose worker and Postgres are killed five times reaches each address once", async () => {
  const recipients = 1_000;
  const result = await runKilledCampaign(recipients);
  assert.deepEqual([result.kills, result.pauses], [5, 2]);
  assert.deepEqual([result.mails, result.addresses], [recipients, recipients]);
  assert.deepEqual(result.outcome, {
    recipients,
    sent: recipients,
    skipped: {},
    failed: 0,
    unknown: 0,
  });
  assert.deepEqual(result.events, ["campaign.sent", "campaign.completed"]);
  assert.equal(result.mailsWhilePaused, 0);
});
