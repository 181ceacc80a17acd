import { deleteCampaign as deleteRow } from "./campaign_queries.ts";
import { requireCampaign } from "./require_campaign.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";

export const deleteCampaign = defineRoute({
  operationId: "deleteCampaign",
  method: "DELETE",
  path: "/campaigns/{id}",
  tag: "Campaigns",
  summary: "Delete a campaign",
  description: "Its sends stay. Cancel a campaign that is sending or paused before you delete it.",
  scopes: ["campaigns:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Campaign",
  status: 204,
  errors: ["conflict"],
  action: "campaign.delete",
  async handle({ tx, workspaceId, params, audit }) {
    const { id, name } = await requireCampaign(tx, { workspaceId, name: params.id });
    await deleteRow(tx, { workspaceId, campaignId: id });
    await audit(id, { name });
  },
});
