import type { CampaignReview } from "../../api/types.ts";

/** Counts the recipients whose address is neither suppressed nor unsubscribed from the topic. */
export function countReached(
  { recipients, suppressed, unsubscribed }: Pick<
    CampaignReview,
    "recipients" | "suppressed" | "unsubscribed"
  >,
): number {
  return Math.max(0, recipients - suppressed - unsubscribed);
}
