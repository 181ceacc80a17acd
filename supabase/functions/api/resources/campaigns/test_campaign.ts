import { testCampaign as sendTest } from "./campaign_queries.ts";
import { requireCampaign } from "./require_campaign.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { newTest, startedTest } from "../../contract/campaigns.ts";

export const testCampaign = defineRoute({
  operationId: "testCampaign",
  method: "POST",
  path: "/campaigns/{id}/test",
  tag: "Campaigns",
  summary: "Send a test of a campaign to your own addresses",
  description: "The test is rendered for a customer. No figure counts it.",
  scopes: ["campaigns:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Campaign",
  body: newTest,
  status: 202,
  response: startedTest,
  errors: ["conflict"],
  action: "campaign.test",
  async handle({ tx, workspaceId, params, body, audit }) {
    const { id, name } = await requireCampaign(tx, { workspaceId, name: params.id });
    const sendIds = await sendTest(tx, { workspaceId, campaignId: id, test: body });
    await audit(id, { name, send_ids: sendIds });
    return { send_ids: sendIds };
  },
});
