import { invalidInput } from "../../../_shared/errors/errors.ts";
import { params } from "../../contract/fields.ts";
import { customerTopicEdit, customerTopics } from "../../contract/topics.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findCustomer } from "./customer_queries.ts";
import { findTopicId, listTopicsOfCustomer, setTopicOfCustomer } from "./customer_topic_queries.ts";

export const setCustomerTopic = defineRoute({
  operationId: "setCustomerTopic",
  method: "PUT",
  path: "/customers/{id}/topics",
  tag: "Customers",
  summary: "Subscribe a customer to a topic, or unsubscribe them",
  description:
    "The subscription belongs to the e-mail address, so it survives merges and erasure. Returns " +
    "409 if the customer has no address.",
  scopes: ["customers:write"],
  leastRole: "member",
  params,
  entity: "Customer",
  body: customerTopicEdit,
  status: 200,
  response: customerTopics,
  errors: ["conflict"],
  action: "customer.set_topic",
  async handle({ tx, workspaceId, params, body, audit }) {
    const key = { workspaceId, customerId: params.id };
    requireFound(await findCustomer(tx, key), "Customer");
    const topicId = await findTopicId(tx, { workspaceId, name: body.topic });
    if (topicId === undefined) {
      throw invalidInput([{ field: "topic", message: "must be the id or key of a topic" }]);
    }
    const { subscribed } = body;
    requireFound(await setTopicOfCustomer(tx, { ...key, topicId, subscribed }), "Customer");
    await audit(params.id, { topic_id: topicId });
    return { data: await listTopicsOfCustomer(tx, key) };
  },
});
