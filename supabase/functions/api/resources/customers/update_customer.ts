import { editCustomer, findCustomer } from "./customer_queries.ts";
import { splitProfile } from "../../../_shared/entries/profile.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { customer, customerEdit } from "../../contract/customers.ts";

export const updateCustomer = defineRoute({
  operationId: "updateCustomer",
  method: "PATCH",
  path: "/customers/{id}",
  tag: "Customers",
  summary: "Edit a customer",
  scopes: ["customers:write"],
  leastRole: "member",
  params,
  entity: "Customer",
  body: customerEdit,
  status: 200,
  response: customer,
  action: "customer.update",
  async handle({ tx, workspaceId, params, body, audit }) {
    const key = { workspaceId, customerId: params.id };
    const fields = requireFound(
      await editCustomer(tx, { ...key, ...splitProfile(body) }),
      "Customer",
    );
    await audit(params.id, { fields });
    return requireFound(await findCustomer(tx, key), "Customer");
  },
});
