import { z } from "zod";
import { findCustomer } from "./customer_queries.ts";
import { listCustomerEvents as listRows } from "../events/event_queries.ts";
import { pageOf, paging, params, text, time } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { event } from "../../contract/events.ts";
import { positionOnTimeline, timeline } from "../events/timeline.ts";

export const listCustomerEvents = defineRoute({
  operationId: "listCustomerEvents",
  method: "GET",
  path: "/customers/{id}/events",
  tag: "Customers",
  summary: "List a customer's events",
  description: "Newest first, from since (included) until (excluded), by time of occurrence.",
  scopes: ["customers:read"],
  leastRole: "viewer",
  params,
  entity: "Customer",
  query: z.strictObject({
    name: text(200).optional(),
    since: time.optional(),
    until: time.optional(),
    ...paging,
  }),
  status: 200,
  response: pageOf(event),
  async handle({ tx, workspaceId, params, query }) {
    const { limit, cursor, ...filter } = query;
    const key = { workspaceId, customerId: params.id };
    const [customer, rows] = await Promise.all([
      findCustomer(tx, key),
      listRows(tx, { ...key, ...filter, ...readPage(timeline, { limit, cursor }) }),
    ]);
    requireFound(customer, "Customer");
    return toPage(timeline, { rows, limit, positionOf: positionOnTimeline });
  },
});
