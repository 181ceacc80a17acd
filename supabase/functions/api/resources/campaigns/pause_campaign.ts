import { pauseCampaign as changeState } from "./campaign_queries.ts";
import { requireCampaign } from "./require_campaign.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { campaign } from "../../contract/campaigns.ts";

export const pauseCampaign = defineRoute({
  operationId: "pauseCampaign",
  method: "POST",
  path: "/campaigns/{id}/pause",
  tag: "Campaigns",
  summary: "Pause a campaign",
  description: "Signalpost stops handing messages to the provider within two seconds.",
  scopes: ["campaigns:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Campaign",
  status: 202,
  response: campaign,
  errors: ["conflict"],
  action: "campaign.pause",
  async handle({ tx, workspaceId, params, audit }) {
    const { id, name } = await requireCampaign(tx, { workspaceId, name: params.id });
    await changeState(tx, { workspaceId, campaignId: id });
    await audit(id, { name });
    return await requireCampaign(tx, { workspaceId, name: id });
  },
});
