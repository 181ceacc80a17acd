import { testDestination as sendTest } from "./destination_queries.ts";
import { params } from "../../contract/fields.ts";
import { defineRoute } from "../../kernel/route.ts";
import { sentMessage } from "../../contract/destinations.ts";

export const testDestination = defineRoute({
  operationId: "testDestination",
  method: "POST",
  path: "/destinations/{id}/test",
  tag: "Destinations",
  summary: "Send a ping",
  description:
    "The ping goes only to this destination, regardless of its subscriptions and even if it is " +
    "disabled.",
  scopes: ["destinations:write"],
  leastRole: "member",
  params,
  entity: "Destination",
  status: 202,
  response: sentMessage,
  action: "destination.test",
  async handle({ tx, workspaceId, params, audit }) {
    const messageId = await sendTest(tx, { workspaceId, destinationId: params.id });
    await audit(params.id, { message_id: messageId });
    return { message_id: messageId };
  },
});
