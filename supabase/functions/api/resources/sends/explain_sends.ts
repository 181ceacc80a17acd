import { explainQuery, sendExplanation } from "../../contract/sends.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { describeCampaign, describeChecks } from "./describe_checks.ts";
import { describeJourney } from "./describe_journey.ts";
import { readJourneyFacts } from "./journey_facts.ts";
import {
  type AnsweredSend,
  listAnsweredSends,
  readCampaignEntry,
  readSendFacts,
} from "./send_queries.ts";
import { readSenderFacts } from "./sender_facts.ts";

const maxSends = 20;

export const explainSends = defineRoute({
  operationId: "explainSends",
  method: "GET",
  path: "/sends/explain",
  tag: "Sends",
  summary: "Explain why a customer did or did not get a message",
  description: "Explains the messages of a campaign, or of a journey with its entry and exit. " +
    "Explains all messages if you give neither.",
  scopes: ["sends:read"],
  leastRole: "viewer",
  query: explainQuery,
  status: 200,
  response: sendExplanation,
  async handle({ tx, workspaceId, query }) {
    const limit = maxSends - 1;
    const filter = { ...query, onlyMessages: true, limit, after: undefined };
    const rows = await listAnsweredSends(tx, { workspaceId, ...filter });
    const { customer_id: customerId, campaign_id: campaignId, journey_id: journeyId } = query;
    const journey = journeyId === undefined
      ? undefined
      : await readJourneyFacts(tx, { workspaceId, journeyId, customerId });
    const campaign = campaignId === undefined
      ? undefined
      : await readCampaignEntry(tx, { workspaceId, campaignId, customerId });
    const topics = [
      ...rows.map(({ topic }) => topic),
      ...journey?.topics ?? [],
      campaign?.topic_id ?? null,
    ];
    const topicIds = [...new Set(topics)].filter((id) => id !== null);
    const found = await readSendFacts(tx, { workspaceId, customerId, topicIds });
    const facts = requireFound(found, "Customer");
    // A deleted campaign or journey is still known while its messages are kept.
    if (rows.length === 0) {
      if (campaignId !== undefined) requireFound(campaign, "Campaign");
      if (journeyId !== undefined) requireFound(journey, "Journey");
    }
    const entry = [
      ...(journey === undefined ? [] : describeJourney(journey)),
      ...(campaign === undefined ? [] : describeCampaign(campaign)),
    ];
    const senderIds = listSenders(rows, campaign?.sender_id ?? null);
    const senders = await readSenderFacts(tx, { workspaceId, senderIds });
    return { customer_id: customerId, ...describeChecks({ facts, senders, sends: rows, entry }) };
  },
});

/** Lists the senders of the newest message, of those that wait, and of the campaign. */
function listSenders(rows: readonly AnsweredSend[], ofCampaign: string | null): string[] {
  const open = rows.filter(({ state }, index) => index === 0 || state === "queued");
  const ids = [...open.map(({ sender }) => sender), ...ofCampaign === null ? [] : [ofCampaign]];
  return [...new Set(ids)];
}
