import { namedParams } from "../../contract/resource_names.ts";
import { topic } from "../../contract/topics.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findTopic } from "./topic_queries.ts";

export const getTopic = defineRoute({
  operationId: "getTopic",
  method: "GET",
  path: "/topics/{id}",
  tag: "Topics",
  summary: "Get a topic",
  scopes: ["topics:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Topic",
  status: 200,
  response: topic,
  async handle({ tx, workspaceId, params }) {
    return requireFound(await findTopic(tx, { workspaceId, name: params.id }), "Topic");
  },
});
