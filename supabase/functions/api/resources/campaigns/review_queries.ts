import type { CallerSql } from "../../kernel/caller.ts";
import type { CampaignKey } from "./campaign_queries.ts";

/** Counts of those who would get a campaign now, and of those who would not. */
export interface Review {
  members: number;
  excluded: number;
  no_address: number;
  same_address: number;
  recipients: number;
  suppressed: number;
  unsubscribed: number;
  is_exact: boolean;
  is_computing: boolean;
  confirm_above: number;
}

/** Counts who would get a campaign; undefined if the caller cannot see it. */
export async function readReview(
  tx: CallerSql,
  { workspaceId, campaignId }: CampaignKey,
): Promise<Review | undefined> {
  const rows = await tx<{ review: Review | null }[]>`
    select private.review_campaign(${workspaceId}, ${campaignId}) as review
  `;
  return rows[0]?.review ?? undefined;
}
