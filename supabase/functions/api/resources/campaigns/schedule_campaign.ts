import { startCampaign as changeState } from "./campaign_queries.ts";
import { requireCampaign } from "./require_campaign.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { campaign, schedule } from "../../contract/campaigns.ts";

export const scheduleCampaign = defineRoute({
  operationId: "scheduleCampaign",
  method: "POST",
  path: "/campaigns/{id}/schedule",
  tag: "Campaigns",
  summary: "Schedule a campaign",
  description: "Schedules a draft, or moves a scheduled campaign to another time.",
  scopes: ["campaigns:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Campaign",
  body: schedule,
  isBodyOptional: true,
  status: 202,
  response: campaign,
  errors: ["conflict"],
  action: "campaign.schedule",
  async handle({ tx, workspaceId, params, body, audit }) {
    const { id, name } = await requireCampaign(tx, { workspaceId, name: params.id });
    await changeState(tx, { workspaceId, campaignId: id, options: body });
    await audit(id, { name });
    return await requireCampaign(tx, { workspaceId, name: id });
  },
});
