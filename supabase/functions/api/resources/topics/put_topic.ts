import { isUuid, namedParams } from "../../contract/resource_names.ts";
import { topic, topicPut } from "../../contract/topics.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { changeTopic, findTopic, insertTopic } from "./topic_queries.ts";

export const putTopic = defineRoute({
  operationId: "putTopic",
  method: "PUT",
  path: "/topics/{id}",
  tag: "Topics",
  summary: "Create or replace a topic",
  description: "Creates the topic if no topic has this key. An id replaces an existing topic only.",
  scopes: ["topics:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Topic",
  body: topicPut,
  status: 200,
  mayCreate: true,
  response: topic,
  errors: ["limit_reached"],
  action: ["topic.update", "topic.create"],
  async handle({ tx, workspaceId, params, body, audit, noteCreated }) {
    const fields = { ...body, description: body.description ?? null };
    const topic = { workspaceId, name: params.id };
    const created = isUuid(params.id)
      ? undefined
      : await insertTopic(tx, { workspaceId, fields: { ...fields, key: params.id } });
    const id = created ?? requireFound(await changeTopic(tx, { ...topic, fields }), "Topic");
    if (created !== undefined) noteCreated();
    await audit({ id, action: created === undefined ? "topic.update" : "topic.create" });
    return requireFound(await findTopic(tx, { workspaceId, name: id }), "Topic");
  },
});
