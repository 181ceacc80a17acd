import { z } from "zod";
import { findCustomer } from "../../../_shared/db/customers.ts";
import { listCustomerEvents as listRows } from "../../../_shared/db/events.ts";
import { pageOf, paging, params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { readPage, toPage } from "../../page.ts";
import { defineRoute } from "../../route.ts";
import { event } from "../events/schema.ts";
import { placeOnTimeline, timeline } from "../events/timeline.ts";

export const listCustomerEvents = defineRoute({
  operationId: "listCustomerEvents",
  method: "GET",
  path: "/customers/{id}/events",
  tag: "Customers",
  summary: "Read a customer's timeline",
  description: "Newest first by the time of occurrence.",
  scopes: ["customers:read"],
  leastRole: "viewer",
  params,
  query: z.strictObject(paging),
  status: 200,
  answer: pageOf(event),
  async handle({ tx, workspaceId, params, query }) {
    const key = { workspaceId, customerId: params.id };
    const [customer, rows] = await Promise.all([
      findCustomer(tx, key),
      listRows(tx, { ...key, ...readPage(timeline, query) }),
    ]);
    requireFound(customer, "Customer");
    return toPage(timeline, { rows, limit: query.limit, placeOf: placeOnTimeline });
  },
});
