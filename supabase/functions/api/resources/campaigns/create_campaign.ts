import { createCampaign as insertCampaign } from "./campaign_queries.ts";
import { requireCampaign } from "./require_campaign.ts";
import { defineRoute } from "../../kernel/route.ts";
import { campaign, newCampaign } from "../../contract/campaigns.ts";

export const createCampaign = defineRoute({
  operationId: "createCampaign",
  method: "POST",
  path: "/campaigns",
  tag: "Campaigns",
  summary: "Create a campaign",
  description: "The campaign is a draft: nothing is sent until you schedule or send it.",
  scopes: ["campaigns:write"],
  leastRole: "admin",
  body: newCampaign,
  status: 201,
  response: campaign,
  errors: ["conflict", "limit_reached"],
  action: "campaign.create",
  async handle({ tx, workspaceId, body, audit }) {
    const id = await insertCampaign(tx, { workspaceId, fields: body });
    const created = await requireCampaign(tx, { workspaceId, name: id });
    const { name, key } = created;
    await audit(id, { name, key });
    return created;
  },
});
