import { tryMessageNow as tryRow } from "./message_queries.ts";
import { params } from "../../contract/fields.ts";
import { defineRoute } from "../../kernel/route.ts";
import { changedMessage, messageTarget } from "../../contract/messages.ts";

export const tryMessageNow = defineRoute({
  operationId: "tryMessageNow",
  method: "POST",
  path: "/messages/{id}/try-now",
  tag: "Messages",
  summary: "Send a message now",
  description: "Sends the message to every enabled destination that has not received it, even if " +
    "it was given up, canceled or missed there, or the circuit breaker is open. Starts a new run " +
    "of attempts.",
  scopes: ["deliveries:write"],
  leastRole: "member",
  params,
  entity: "Message",
  body: messageTarget,
  isBodyOptional: true,
  status: 202,
  response: changedMessage,
  errors: ["conflict"],
  action: "message.try_now",
  async handle({ tx, workspaceId, params, body, audit }) {
    const destination_ids = await tryRow(tx, {
      workspaceId,
      messageId: params.id,
      destinationId: body.destination_id,
    });
    await audit(params.id, { destination_ids });
    return { message_id: params.id, destination_ids };
  },
});
