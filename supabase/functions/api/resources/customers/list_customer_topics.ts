import { params } from "../../contract/fields.ts";
import { customerTopics } from "../../contract/topics.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findCustomer } from "./customer_queries.ts";
import { listTopicsOfCustomer } from "./customer_topic_queries.ts";

export const listCustomerTopics = defineRoute({
  operationId: "listCustomerTopics",
  method: "GET",
  path: "/customers/{id}/topics",
  tag: "Customers",
  summary: "List the topics of a customer",
  description:
    "Lists every topic by key, and whether the customer's e-mail address is subscribed to it.",
  scopes: ["customers:read"],
  leastRole: "viewer",
  params,
  entity: "Customer",
  status: 200,
  response: customerTopics,
  async handle({ tx, workspaceId, params }) {
    const key = { workspaceId, customerId: params.id };
    const [customer, data] = await Promise.all([
      findCustomer(tx, key),
      listTopicsOfCustomer(tx, key),
    ]);
    requireFound(customer, "Customer");
    return { data };
  },
});
