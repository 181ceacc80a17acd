import { cancelCampaign as changeState } from "./campaign_queries.ts";
import { requireCampaign } from "./require_campaign.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { campaign } from "../../contract/campaigns.ts";

export const cancelCampaign = defineRoute({
  operationId: "cancelCampaign",
  method: "POST",
  path: "/campaigns/{id}/cancel",
  tag: "Campaigns",
  summary: "Cancel a campaign",
  description: "The service creates no more sends, and skips those in the queue.",
  scopes: ["campaigns:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Campaign",
  status: 202,
  response: campaign,
  errors: ["conflict"],
  action: "campaign.cancel",
  async handle({ tx, workspaceId, params, audit }) {
    const { id, name } = await requireCampaign(tx, { workspaceId, name: params.id });
    await changeState(tx, { workspaceId, campaignId: id });
    await audit(id, { name });
    return await requireCampaign(tx, { workspaceId, name: id });
  },
});
