import { findCustomer } from "./customer_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { customer } from "../../contract/customers.ts";

export const getCustomer = defineRoute({
  operationId: "getCustomer",
  method: "GET",
  path: "/customers/{id}",
  tag: "Customers",
  summary: "Get a customer",
  scopes: ["customers:read"],
  leastRole: "viewer",
  params,
  entity: "Customer",
  status: 200,
  response: customer,
  async handle({ tx, workspaceId, params }) {
    const found = await findCustomer(tx, { workspaceId, customerId: params.id });
    return requireFound(found, "Customer");
  },
});
