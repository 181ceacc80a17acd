import { findMessage } from "./message_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { messageDetail } from "../../contract/messages.ts";

export const getMessage = defineRoute({
  operationId: "getMessage",
  method: "GET",
  path: "/messages/{id}",
  tag: "Messages",
  summary: "Get a message, its state at every destination, and its attempts",
  scopes: ["deliveries:read"],
  leastRole: "viewer",
  params,
  entity: "Message",
  status: 200,
  response: messageDetail,
  async handle({ tx, workspaceId, params }) {
    return requireFound(await findMessage(tx, { workspaceId, messageId: params.id }), "Message");
  },
});
