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
    "Profile, ids and device tokens are gone when this is answered, and nobody sees the " +
    "events any more. Events, and the bodies of messages, are erased within minutes.",
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
