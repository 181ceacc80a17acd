import { findCustomer } from "../../../_shared/db/customers.ts";
import { params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { customer } from "./schema.ts";

export const getCustomer = defineRoute({
  operationId: "getCustomer",
  method: "GET",
  path: "/customers/{id}",
  tag: "Customers",
  summary: "Read a customer",
  scopes: ["customers:read"],
  leastRole: "viewer",
  params,
  status: 200,
  answer: customer,
  async handle({ tx, workspaceId, params }) {
    const found = await findCustomer(tx, { workspaceId, customerId: params.id });
    return requireFound(found, "Customer");
  },
});
