import { z } from "zod";
import { listTopNames, listUsage, type UsageFigures } from "../../../_shared/db/usage.ts";
import { timestamp } from "../../fields.ts";
import { answeredRange, rangeQuery, rangeRules, readRange } from "../../range.ts";
import { defineRoute } from "../../route.ts";

const figures = {
  events: z.int().meta({ description: "Entries stored: events, identifies, aliases." }),
  customers: z.int().meta({ description: "Customers created." }),
  deliveries: z.int().meta({ description: "Attempts made." }),
  failures: z.int().meta({ description: "Attempts that failed." }),
};

export const usage = z.object({
  ...answeredRange,
  totals: z.object(figures),
  data: z.array(z.object({ at: timestamp, ...figures })).meta({ description: "Oldest first." }),
  top_events: z.array(z.object({ name: z.string(), events: z.int() }))
    .meta({ description: "The ten most frequent names of the UTC days that the range touches." }),
}).meta({ id: "Usage" });

export const getUsage = defineRoute({
  operationId: "getUsage",
  method: "GET",
  path: "/usage",
  tag: "Usage",
  summary: "Read figures over time",
  description: rangeRules,
  scopes: ["events:read"],
  leastRole: "viewer",
  query: z.strictObject(rangeQuery),
  status: 200,
  answer: usage,
  async handle({ tx, workspaceId, query, service }) {
    const range = { workspaceId, ...readRange(query, service.now()) };
    const [data, topEvents] = await Promise.all([listUsage(tx, range), listTopNames(tx, range)]);
    const { interval, since, until } = range;
    const first = data[0]?.at ?? since;
    return { interval, since: first, until, totals: sum(data), data, top_events: topEvents };
  },
});

function sum(data: readonly UsageFigures[]): UsageFigures {
  const totals = { events: 0, customers: 0, deliveries: 0, failures: 0 };
  for (const row of data) {
    totals.events += row.events;
    totals.customers += row.customers;
    totals.deliveries += row.deliveries;
    totals.failures += row.failures;
  }
  return totals;
}
