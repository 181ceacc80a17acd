import type { CallerSql } from "../../kernel/caller.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { type Campaign, type CampaignName, findCampaign } from "./campaign_queries.ts";

/** Returns the campaign that a path names by id or key; throws `not_found` without one. */
export async function requireCampaign(tx: CallerSql, campaign: CampaignName): Promise<Campaign> {
  return requireFound(await findCampaign(tx, campaign), "Campaign");
}
