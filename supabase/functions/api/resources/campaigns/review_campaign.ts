import { readReview } from "./review_queries.ts";
import { requireCampaign } from "./require_campaign.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { review } from "../../contract/campaigns.ts";

export const reviewCampaign = defineRoute({
  operationId: "reviewCampaign",
  method: "POST",
  path: "/campaigns/{id}/review",
  tag: "Campaigns",
  summary: "Count who would get a campaign now",
  description: "Also counts who would not get it, by reason. Changes nothing.",
  scopes: ["campaigns:read", "campaigns:write"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Campaign",
  status: 200,
  response: review,
  isDry: true,
  async handle({ tx, workspaceId, params }) {
    const { id } = await requireCampaign(tx, { workspaceId, name: params.id });
    return requireFound(await readReview(tx, { workspaceId, campaignId: id }), "Campaign");
  },
});
