import type { CampaignStats } from "../../api/types.ts";
import { countOf, formatWhole } from "../../format/numbers.ts";

interface Progress {
  /** Recipients with an outcome. */
  done: number;
  waiting: number;
}

/**
 * Counts how many recipients the figures account for. Figures that were read before the audience was
 * fixed know only some of the recipients: the others wait.
 * @param recipients the number of recipients of the campaign
 */
export function measureProgress(
  recipients: number,
  stats: Pick<CampaignStats, "recipients" | "waiting">,
): Progress {
  const done = Math.min(recipients, stats.recipients - stats.waiting);
  return { done, waiting: recipients - done };
}

/**
 * Says how far a campaign is: how many have an outcome while others wait, then how many got it.
 * @param recipients the number of recipients of the campaign
 */
export function describeProgress(
  recipients: number,
  stats: Pick<CampaignStats, "recipients" | "waiting" | "sent">,
): string {
  const { done, waiting } = measureProgress(recipients, stats);
  const all = countOf(recipients, "recipient");
  if (waiting > 0) return `${formatWhole(done)} of ${all}, ${formatWhole(waiting)} waiting`;
  if (stats.sent === 0) return recipients === 0 ? "It had no recipients" : `Sent to none of ${all}`;
  if (stats.sent < recipients) return `Sent to ${formatWhole(stats.sent)} of ${all}`;
  return recipients === 1 ? "Sent to its only recipient" : `Sent to all ${all}`;
}
