import { runKilledCampaign } from "../../testing/service/killed_campaign.ts";
import { describeMachine } from "./machine.ts";
import { formatCount, print } from "./table.ts";

/**
 * Stores an audience and sends a campaign to it, while its worker is killed three times, Postgres
 * with it twice, and the campaign is paused twice. Prints the rates and the figures.
 *
 * @param args number of recipients. @default 100,000
 */
export async function measureCampaigns([count = "100000"]: string[]): Promise<void> {
  print(describeMachine());
  const recipients = Number(count);
  const result = await runKilledCampaign(recipients);
  const { outcome, mails, addresses, audienceMs, totalMs, events } = result;
  print(
    `Audience: ${formatCount(recipients)} recipients stored in ${
      (audienceMs / 1000).toFixed(1)
    } s, ` +
      `${formatCount(Math.round(recipients / audienceMs * 1000))} per second`,
  );
  print(
    `Campaign with ${result.kills} kills and ${result.pauses} pauses: ` +
      `${(totalMs / 1000).toFixed(0)} s, ${(recipients / totalMs * 1000).toFixed(0)} per second`,
  );
  print(
    `Sent: ${outcome.sent} of ${outcome.recipients}, skipped ${JSON.stringify(outcome.skipped)}, ` +
      `failed ${outcome.failed}; ${mails} mails to ${addresses} addresses, ` +
      `${result.mailsWhilePaused} during pauses; events: ${events.join(", ")}`,
  );
}
