import { startCampaign as changeState } from "./campaign_queries.ts";
import { describeStart } from "./describe_start.ts";
import { requireCampaign } from "./require_campaign.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { campaign, confirmation } from "../../contract/campaigns.ts";

export const sendCampaign = defineRoute({
  operationId: "sendCampaign",
  method: "POST",
  path: "/campaigns/{id}/send",
  tag: "Campaigns",
  summary: "Send a campaign now",
  description: "Fixes the audience and starts to send immediately.",
  scopes: ["campaigns:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Campaign",
  body: confirmation,
  isBodyOptional: true,
  status: 202,
  response: campaign,
  errors: ["conflict"],
  action: "campaign.send",
  async handle({ tx, workspaceId, params, body, audit }) {
    const found = await requireCampaign(tx, { workspaceId, name: params.id });
    const { id, name } = found;
    await changeState(tx, { workspaceId, campaignId: id, options: { ...body, now: true } });
    const start = await describeStart(tx, { workspaceId, campaign: found });
    // The number that the caller confirmed.
    await audit(id, { name, ...body, ...start });
    return await requireCampaign(tx, { workspaceId, name: id });
  },
});
