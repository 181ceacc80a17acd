import { namedParams } from "../../contract/resource_names.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { removeSender } from "./sender_queries.ts";

export const deleteSender = defineRoute({
  operationId: "deleteSender",
  method: "DELETE",
  path: "/senders/{id}",
  tag: "Senders",
  summary: "Delete a sender",
  description: "Waiting sends are skipped. Past sends stay in the log. You cannot delete a " +
    "sender that a campaign needs.",
  scopes: ["senders:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Sender",
  status: 204,
  errors: ["conflict"],
  action: "sender.delete",
  async handle({ tx, workspaceId, params, audit }) {
    const removed = await removeSender(tx, { workspaceId, name: params.id });
    const { id, name } = requireFound(removed, "Sender");
    await audit(id, { name });
  },
});
