import { updateCampaign as updateRow } from "./campaign_queries.ts";
import { requireCampaign } from "./require_campaign.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { campaign, campaignEdit } from "../../contract/campaigns.ts";
import { getCampaign } from "./get_campaign.ts";

export const updateCampaign = defineRoute({
  operationId: "updateCampaign",
  method: "PATCH",
  path: "/campaigns/{id}",
  tag: "Campaigns",
  summary: "Change a campaign",
  description: "You can change all fields of a draft or scheduled campaign, and a few fields of " +
    "a campaign that has started.",
  scopes: ["campaigns:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Campaign",
  body: campaignEdit,
  status: 200,
  response: campaign,
  errors: ["conflict"],
  action: "campaign.update",
  shownBy: getCampaign,
  async handle({ tx, workspaceId, params, body, audit }) {
    const { id, name } = await requireCampaign(tx, { workspaceId, name: params.id });
    const done = await updateRow(tx, { workspaceId, campaignId: id, fields: body });
    requireFound(done || undefined, "Campaign");
    await audit(id, { name: body.name ?? name, fields: Object.keys(body) });
    return await requireCampaign(tx, { workspaceId, name: id });
  },
});
