import { testDestination as sendTest } from "./destination_queries.ts";
import { params } from "../../contract/fields.ts";
import { defineRoute } from "../../kernel/route.ts";
import { sentMessage, testMessage } from "../../contract/destinations.ts";

export const testDestination = defineRoute({
  operationId: "testDestination",
  method: "POST",
  path: "/destinations/{id}/test",
  tag: "Destinations",
  summary: "Send a ping or a test event",
  description:
    "The message goes only to this destination, regardless of its subscriptions and even if it is " +
    "disabled. It is sent once, and does not count in the destination's health. Without a body it " +
    "is a ping, otherwise a message of this type. An event type without a payload is 404 if no " +
    "event of that name is stored.",
  scopes: ["destinations:write"],
  leastRole: "member",
  params,
  entity: "Destination",
  body: testMessage,
  isBodyOptional: true,
  // As deep as the event that it stands for.
  envelope: "payload",
  status: 202,
  response: sentMessage,
  action: "destination.test",
  async handle({ tx, workspaceId, params, body, audit }) {
    const messageId = await sendTest(tx, { workspaceId, destinationId: params.id, ...body });
    await audit(params.id, { event_type: body.event_type, message_id: messageId });
    return { message_id: messageId };
  },
});
