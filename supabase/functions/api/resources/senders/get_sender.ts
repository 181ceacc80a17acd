import { namedParams } from "../../contract/resource_names.ts";
import { sender } from "../../contract/senders.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findSender } from "./sender_queries.ts";

export const getSender = defineRoute({
  operationId: "getSender",
  method: "GET",
  path: "/senders/{id}",
  tag: "Senders",
  summary: "Get a sender with its health",
  scopes: ["senders:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Sender",
  status: 200,
  response: sender,
  async handle({ tx, workspaceId, params }) {
    return requireFound(await findSender(tx, { workspaceId, name: params.id }), "Sender");
  },
});
