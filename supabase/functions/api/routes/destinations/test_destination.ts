import { testDestination as sendTest } from "../../../_shared/db/destinations.ts";
import { params } from "../../fields.ts";
import { defineRoute } from "../../route.ts";
import { sentMessage } from "./schema.ts";

export const testDestination = defineRoute({
  operationId: "testDestination",
  method: "POST",
  path: "/destinations/{id}/test",
  tag: "Destinations",
  summary: "Send a ping",
  description: "Goes to this destination only, whatever it subscribes to and even when disabled.",
  scopes: ["destinations:write"],
  leastRole: "member",
  params,
  status: 202,
  answer: sentMessage,
  action: "destination.test",
  async handle({ tx, workspaceId, params, audit }) {
    const messageId = await sendTest(tx, { workspaceId, destinationId: params.id });
    await audit(params.id, { message_id: messageId });
    return { message_id: messageId };
  },
});
