import { listCounts } from "./campaign_queries.ts";
import { requireCampaign } from "./require_campaign.ts";
import { sumCounts } from "./sum_counts.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { campaignStats } from "../../contract/campaigns.ts";

export const getCampaignStats = defineRoute({
  operationId: "getCampaignStats",
  method: "GET",
  path: "/campaigns/{id}/stats",
  tag: "Campaigns",
  summary: "Get the figures of a campaign",
  description: "Opens and clicks by scanners are not counted.",
  scopes: ["campaigns:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Campaign",
  status: 200,
  response: campaignStats,
  async handle({ tx, workspaceId, params }) {
    const { id, variants } = await requireCampaign(tx, { workspaceId, name: params.id });
    const counts = await listCounts(tx, { workspaceId, campaignId: id });
    const { goal: _, ...all } = sumCounts(counts);
    const count = (kind: string) =>
      counts.filter((row) => row.kind === kind).reduce((sum, row) => sum + row.count, 0);
    return {
      ...all,
      left_out: { no_address: count("no_address"), same_address: count("same_address") },
      variants: variants.map(({ template }, variant) => ({
        variant,
        template,
        ...sumCounts(counts.filter((row) => row.variant === variant)),
      })),
    };
  },
});
