import { z } from "zod";
import { timestamp } from "../../contract/fields.ts";
import { rangeQuery, rangeRules, readRange, responseRange } from "../../contract/range.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findSenderId } from "./sender_queries.ts";
import { readSenderStats } from "./stats_queries.ts";

const count = z.int();
const figures = {
  sent: count.meta({ description: "Messages that the provider accepted." }),
  failed: count.meta({ description: "Messages that the provider refused permanently." }),
  skipped: count.meta({
    description: "Messages that were not handed over, such as to a suppressed address.",
  }),
  unknown: count.meta({
    description: "Messages whose outcome is unknown: the provider may have taken them.",
  }),
  retried: count.meta({ description: "Attempts that failed and are repeated." }),
  bounced: count.meta({
    description: "Messages of this time that bounced permanently, as reported by then or later.",
  }),
  complained: count.meta({
    description: "Messages of this time that were reported as spam.",
  }),
};

const senderStats = z.object({
  ...responseRange,
  totals: z.object(figures),
  data: z.array(z.object({ at: timestamp, ...figures })).meta({ description: "Oldest first." }),
}).meta({ id: "SenderStats" });

export const getSenderStats = defineRoute({
  operationId: "getSenderStats",
  method: "GET",
  path: "/senders/{id}/stats",
  tag: "Senders",
  summary: "Get counts of messages over time",
  description: `${rangeRules} A message counts when it leaves the queue. Tests do not count.`,
  scopes: ["senders:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Sender",
  query: z.strictObject(rangeQuery),
  status: 200,
  response: senderStats,
  async handle({ tx, workspaceId, params, query, service }) {
    const range = readRange(query, service.now());
    const found = await findSenderId(tx, { workspaceId, name: params.id });
    const senderId = requireFound(found, "Sender");
    const data = await readSenderStats(tx, { workspaceId, senderId, ...range });
    const sum = (name: keyof typeof figures) =>
      data.reduce((total, interval) => total + interval[name], 0);
    return {
      interval: range.interval,
      since: data[0]?.at ?? range.since,
      until: range.until,
      totals: {
        sent: sum("sent"),
        failed: sum("failed"),
        skipped: sum("skipped"),
        unknown: sum("unknown"),
        retried: sum("retried"),
        bounced: sum("bounced"),
        complained: sum("complained"),
      },
      data,
    };
  },
});
