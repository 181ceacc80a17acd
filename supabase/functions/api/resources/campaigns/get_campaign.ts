import { requireCampaign } from "./require_campaign.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { campaign } from "../../contract/campaigns.ts";

export const getCampaign = defineRoute({
  operationId: "getCampaign",
  method: "GET",
  path: "/campaigns/{id}",
  tag: "Campaigns",
  summary: "Get a campaign",
  scopes: ["campaigns:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Campaign",
  status: 200,
  response: campaign,
  async handle({ tx, workspaceId, params }) {
    return await requireCampaign(tx, { workspaceId, name: params.id });
  },
});
