import { z } from "zod";
import {
  countRejected,
  listThrottled,
  listTopNames,
  listUsage,
  type UsageFigures,
} from "./usage_queries.ts";
import { id, timestamp } from "../../contract/fields.ts";
import { rangeQuery, rangeRules, readRange, responseRange } from "../../contract/range.ts";
import { defineRoute } from "../../kernel/route.ts";

const figures = {
  events: z.int().meta({ description: "Stored entries: events, identifies and aliases." }),
  customers: z.int().meta({ description: "Customers created." }),
  bytes: z.int().meta({
    description:
      "Stored bytes, before compression: properties and context of entries, bodies of inbound " +
      "receipts, and bodies of messages for destinations.",
  }),
  deliveries: z.int().meta({ description: "Attempts made." }),
  failures: z.int().meta({ description: "Attempts that failed." }),
  throttled: z.int().meta({
    description: "Requests that were refused with 429 because of a quota of the plan.",
  }),
  busiest_minute: z.int().meta({ description: "The most entries stored within one minute." }),
};

export const usage = z.object({
  ...responseRange,
  totals: z.object(figures),
  data: z.array(z.object({ at: timestamp, ...figures })).meta({ description: "Oldest first." }),
  top_events: z.array(z.object({ name: z.string(), events: z.int() }))
    .meta({ description: "The ten most frequent event names on the UTC days of the range." }),
  throttled_by: z.array(z.object({
    bucket: z.enum(["ingest", "api"]),
    reason: z.enum(["rate", "bytes"]).meta({
      description: "rate: too many entries or requests per second. bytes: the daily bytes were " +
        "used up.",
    }),
    caller: z.object({ kind: z.enum(["api_key", "source", "user"]), id }),
    requests: z.int(),
    last_at: timestamp.meta({ description: "Start of the hour of the newest refusal." }),
  })).meta({
    description: "The 20 callers with the most refused requests in the hours of the range.",
  }),
  rejected_entries: z.object({
    kept: z.int().meta({ description: "Rejected entries, each available for 7 days." }),
    not_kept: z.int().meta({ description: "Rejected entries beyond the plan's daily maximum." }),
  }).meta({ description: "Counts for the UTC days of the range." }),
}).meta({ id: "Usage" });

export const getUsage = defineRoute({
  operationId: "getUsage",
  method: "GET",
  path: "/usage",
  tag: "Usage",
  summary: "Get usage figures over time",
  description: rangeRules,
  scopes: ["events:read"],
  leastRole: "viewer",
  query: z.strictObject(rangeQuery),
  status: 200,
  response: usage,
  async handle({ tx, workspaceId, query, service }) {
    const range = { workspaceId, ...readRange(query, service.now()) };
    const [data, topEvents, throttled, rejected] = await Promise.all([
      listUsage(tx, range),
      listTopNames(tx, range),
      listThrottled(tx, range),
      countRejected(tx, range),
    ]);
    const { interval, since, until } = range;
    return {
      interval,
      since: data[0]?.at ?? since,
      until,
      totals: sum(data),
      data,
      top_events: topEvents,
      throttled_by: throttled,
      rejected_entries: rejected,
    };
  },
});

function sum(data: readonly UsageFigures[]): UsageFigures {
  const totals = {
    events: 0,
    customers: 0,
    bytes: 0,
    deliveries: 0,
    failures: 0,
    throttled: 0,
    busiest_minute: Math.max(0, ...data.map((row) => row.busiest_minute)),
  };
  for (const row of data) {
    totals.events += row.events;
    totals.customers += row.customers;
    totals.bytes += row.bytes;
    totals.deliveries += row.deliveries;
    totals.failures += row.failures;
    totals.throttled += row.throttled;
  }
  return totals;
}
