import { ApiError } from "../../../_shared/errors/errors.ts";
import { newTopic, topic } from "../../contract/topics.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findTopic, insertTopic } from "./topic_queries.ts";

export const createTopic = defineRoute({
  operationId: "createTopic",
  method: "POST",
  path: "/topics",
  tag: "Topics",
  summary: "Create a topic",
  scopes: ["topics:write"],
  leastRole: "admin",
  body: newTopic,
  status: 201,
  response: topic,
  errors: ["conflict", "limit_reached"],
  action: "topic.create",
  async handle({ tx, workspaceId, body, audit }) {
    const id = await insertTopic(tx, { workspaceId, fields: body });
    if (id === undefined) {
      throw new ApiError("conflict", `Cannot create topic: the key "${body.key}" is in use`);
    }
    await audit(id, { key: body.key });
    return requireFound(await findTopic(tx, { workspaceId, name: id }), "Topic");
  },
});
