import { isUuid, namedParams } from "../../contract/resource_names.ts";
import { topic, topicPut } from "../../contract/topics.ts";
import { readPathKey } from "../../kernel/path_key.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requireFreeKey } from "../../kernel/require_free_key.ts";
import { changeTopic, findTopic, insertTopic } from "./topic_queries.ts";
import { getTopic } from "./get_topic.ts";

export const putTopic = defineRoute({
  operationId: "putTopic",
  method: "PUT",
  path: "/topics/{id}",
  tag: "Topics",
  summary: "Create or replace a topic",
  description:
    "With a key, creates the topic or replaces it. With an id, replaces an existing topic.",
  scopes: ["topics:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Topic",
  body: topicPut,
  status: 200,
  mayCreate: true,
  response: topic,
  errors: ["conflict", "limit_reached"],
  action: ["topic.update", "topic.create"],
  shownBy: getTopic,
  async handle({ tx, workspaceId, params, body, audit, noteCreated }) {
    const fields = { ...body, description: body.description ?? null };
    const topic = { workspaceId, name: params.id };
    const created = isUuid(params.id) ? undefined : await insertTopic(tx, {
      workspaceId,
      fields: { ...fields, key: readPathKey(params.id, body) },
    });
    const changed = created ??
      await requireFreeKey("topic", body.key, changeTopic(tx, { ...topic, fields }));
    const id = requireFound(changed, "Topic");
    if (created !== undefined) noteCreated();
    await audit({ id, action: created === undefined ? "topic.update" : "topic.create" });
    return requireFound(await findTopic(tx, { workspaceId, name: id }), "Topic");
  },
});
