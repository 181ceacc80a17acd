import { z } from "zod";
import { readDestinationStats } from "./stats_queries.ts";
import { findDestination } from "./destination_queries.ts";
import { params, timestamp } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { rangeQuery, rangeRules, readRange, responseRange } from "../../contract/range.ts";
import { defineRoute } from "../../kernel/route.ts";

const ms = z.int();
const figures = {
  ok: z.int().meta({ description: "Attempts that succeeded." }),
  failed: z.int().meta({ description: "Attempts that failed." }),
  duration_ms: z.object({ mean: ms, p50: ms, p95: ms, max: ms }).nullable().meta({
    description: "Covers attempts that have a duration; null if there are none. Percentiles are " +
      "estimates between half and twice the true value. Below 5 ms they can be off by 5 ms.",
  }),
};

const destinationStats = z.object({
  ...responseRange,
  totals: z.object(figures),
  data: z.array(z.object({ at: timestamp, ...figures })).meta({ description: "Oldest first." }),
}).meta({ id: "DestinationStats" });

export const getDestinationStats = defineRoute({
  operationId: "getDestinationStats",
  method: "GET",
  path: "/destinations/{id}/stats",
  tag: "Destinations",
  summary: "Get counts and durations of attempts over time",
  description: `${rangeRules} Every attempt counts, including retries and replays, but not pings.`,
  scopes: ["destinations:read"],
  leastRole: "viewer",
  params,
  entity: "Destination",
  query: z.strictObject(rangeQuery),
  status: 200,
  response: destinationStats,
  async handle({ tx, workspaceId, params, query, service }) {
    const key = { workspaceId, destinationId: params.id };
    const { interval, since, until } = readRange(query, service.now());
    const [destination, { totals, data }] = await Promise.all([
      findDestination(tx, key),
      readDestinationStats(tx, { ...key, interval, since, until }),
    ]);
    requireFound(destination, "Destination");
    return { interval, since: data[0]?.at ?? since, until, totals, data };
  },
});
