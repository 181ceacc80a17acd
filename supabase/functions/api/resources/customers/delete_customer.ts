import { eraseCustomer } from "./customer_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

export const deleteCustomer = defineRoute({
  operationId: "deleteCustomer",
  method: "DELETE",
  path: "/customers/{id}",
  tag: "Customers",
  summary: "Erase a customer",
  description:
    "The profile, ids and device tokens are deleted immediately, and the events are hidden. " +
    "Events and message bodies are erased within minutes.",
  scopes: ["customers:write"],
  leastRole: "member",
  params,
  entity: "Customer",
  status: 204,
  action: "customer.erase",
  async handle({ tx, workspaceId, params, audit }) {
    requireFound(await eraseCustomer(tx, { workspaceId, customerId: params.id }), "Customer");
    await audit(params.id);
  },
});
