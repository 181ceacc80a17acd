import type { CampaignStats } from "../../api/types.ts";

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
