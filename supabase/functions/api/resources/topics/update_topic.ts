import { namedParams } from "../../contract/resource_names.ts";
import { topic, topicEdit } from "../../contract/topics.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requireFreeKey } from "../../kernel/require_free_key.ts";
import { changeTopic, findTopic } from "./topic_queries.ts";
import { getTopic } from "./get_topic.ts";

export const updateTopic = defineRoute({
  operationId: "updateTopic",
  method: "PATCH",
  path: "/topics/{id}",
  tag: "Topics",
  summary: "Change a topic",
  scopes: ["topics:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Topic",
  body: topicEdit,
  status: 200,
  response: topic,
  errors: ["conflict"],
  action: "topic.update",
  shownBy: getTopic,
  async handle({ tx, workspaceId, params, body, audit }) {
    const changed = changeTopic(tx, { workspaceId, name: params.id, fields: body });
    const id = requireFound(await requireFreeKey("topic", body.key, changed), "Topic");
    await audit(id, { fields: Object.keys(body) });
    return requireFound(await findTopic(tx, { workspaceId, name: id }), "Topic");
  },
});
