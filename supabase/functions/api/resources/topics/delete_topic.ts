import { namedParams } from "../../contract/resource_names.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { removeTopic } from "./topic_queries.ts";
import { getTopic } from "./get_topic.ts";

export const deleteTopic = defineRoute({
  operationId: "deleteTopic",
  method: "DELETE",
  path: "/topics/{id}",
  tag: "Topics",
  summary: "Delete a topic",
  description: "Deletes the subscriptions and opt-outs of the topic too. You cannot delete a " +
    "topic that a segment refers to or a campaign needs.",
  scopes: ["topics:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Topic",
  status: 204,
  errors: ["conflict"],
  action: "topic.delete",
  shownBy: getTopic,
  async handle({ tx, workspaceId, params, audit }) {
    const id = requireFound(await removeTopic(tx, { workspaceId, name: params.id }), "Topic");
    await audit(id);
  },
});
