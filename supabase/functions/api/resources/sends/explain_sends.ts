import { explainQuery, sendExplanation } from "../../contract/sends.ts";
import { defineRoute } from "../../kernel/route.ts";
import { describeChecks, describeEntry } from "./describe_checks.ts";
import { listSends, readCampaignEntry, readSendFacts } from "./send_queries.ts";

const maxSends = 20;

export const explainSends = defineRoute({
  operationId: "explainSends",
  method: "GET",
  path: "/sends/explain",
  tag: "Sends",
  summary: "Explain why a customer did or did not get a message",
  description: "Of a campaign or a journey, or of all sends without either.",
  scopes: ["sends:read"],
  leastRole: "viewer",
  query: explainQuery,
  status: 200,
  response: sendExplanation,
  async handle({ tx, workspaceId, query }) {
    const limit = maxSends - 1;
    const rows = await listSends(tx, { workspaceId, ...query, limit, after: undefined });
    const topicIds = [...new Set(rows.flatMap(({ topic }) => topic ?? []))];
    const customerId = query.customer_id;
    const facts = await readSendFacts(tx, { workspaceId, customerId, topicIds });
    const { campaign_id: campaignId } = query;
    const entry = campaignId === undefined
      ? []
      : [describeEntry(await readCampaignEntry(tx, { workspaceId, campaignId, customerId }))];
    return { customer_id: customerId, ...describeChecks(facts, rows, entry) };
  },
});
