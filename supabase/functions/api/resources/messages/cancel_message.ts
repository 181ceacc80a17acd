import { cancelMessage as cancelRow } from "./message_queries.ts";
import { params } from "../../contract/fields.ts";
import { defineRoute } from "../../kernel/route.ts";
import { changedMessage, messageTarget } from "../../contract/messages.ts";

export const cancelMessage = defineRoute({
  operationId: "cancelMessage",
  method: "POST",
  path: "/messages/{id}/cancel",
  tag: "Messages",
  summary: "Cancel a message",
  description:
    "Cancels the message at every destination where it waits or was missed. Does not interrupt " +
    "an attempt in progress. To undo this, send the message now.",
  scopes: ["deliveries:write"],
  leastRole: "member",
  params,
  entity: "Message",
  body: messageTarget,
  isBodyOptional: true,
  status: 202,
  response: changedMessage,
  errors: ["conflict"],
  action: "message.cancel",
  async handle({ tx, workspaceId, params, body, audit }) {
    const destination_ids = await cancelRow(tx, {
      workspaceId,
      messageId: params.id,
      destinationId: body.destination_id,
    });
    await audit(params.id, { destination_ids });
    return { message_id: params.id, destination_ids };
  },
});
