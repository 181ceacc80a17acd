import { explainQuery, sendExplanation } from "../../contract/sends.ts";
import { defineRoute } from "../../kernel/route.ts";
import { describeChecks, describeEntry } from "./describe_checks.ts";
import { describeJourney } from "./describe_journey.ts";
import { readJourneyFacts } from "./journey_facts.ts";
import { listSends, readCampaignEntry, readSendFacts } from "./send_queries.ts";

const maxSends = 20;

export const explainSends = defineRoute({
  operationId: "explainSends",
  method: "GET",
  path: "/sends/explain",
  tag: "Sends",
  summary: "Explain why a customer did or did not get a message",
  description: "Of a campaign or a journey, with entry and exit, or of all sends without either.",
  scopes: ["sends:read"],
  leastRole: "viewer",
  query: explainQuery,
  status: 200,
  response: sendExplanation,
  async handle({ tx, workspaceId, query }) {
    const limit = maxSends - 1;
    const rows = await listSends(tx, { workspaceId, ...query, limit, after: undefined });
    const { customer_id: customerId, campaign_id: campaignId, journey_id: journeyId } = query;
    const journey = journeyId === undefined
      ? undefined
      : await readJourneyFacts(tx, { workspaceId, journeyId, customerId });
    const topics = [...rows.flatMap(({ topic }) => topic ?? []), ...journey?.topics ?? []];
    const topicIds = [...new Set(topics)];
    const facts = await readSendFacts(tx, { workspaceId, customerId, topicIds });
    const entry = journey !== undefined
      ? describeJourney(journey)
      : campaignId === undefined
      ? []
      : [describeEntry(await readCampaignEntry(tx, { workspaceId, campaignId, customerId }))];
    return { customer_id: customerId, ...describeChecks(facts, rows, entry) };
  },
});
