import { z } from "zod";
import { findCustomer } from "./customer_queries.ts";
import { listMemberships } from "./membership_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { membership } from "../../contract/segments.ts";

export const listCustomerSegments = defineRoute({
  operationId: "listCustomerSegments",
  method: "GET",
  path: "/customers/{id}/segments",
  tag: "Customers",
  summary: "List the segments that a customer is in",
  description: "Lists all of them, by name.",
  scopes: ["customers:read"],
  leastRole: "viewer",
  params,
  entity: "Customer",
  status: 200,
  response: z.object({ data: z.array(membership), next_cursor: z.null() }),
  async handle({ tx, workspaceId, params }) {
    const key = { workspaceId, customerId: params.id };
    const [customer, data] = await Promise.all([findCustomer(tx, key), listMemberships(tx, key)]);
    requireFound(customer, "Customer");
    return { data, next_cursor: null };
  },
});
