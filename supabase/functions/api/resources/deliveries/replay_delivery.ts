import { replayDelivery as replayRow } from "./delivery_queries.ts";
import { params } from "../../contract/fields.ts";
import { defineRoute } from "../../kernel/route.ts";
import { sentMessage } from "../../contract/destinations.ts";

export const replayDelivery = defineRoute({
  operationId: "replayDelivery",
  method: "POST",
  path: "/deliveries/{id}/replay",
  tag: "Deliveries",
  summary: "Resend the message of an attempt",
  scopes: ["deliveries:write"],
  leastRole: "member",
  params,
  entity: "Delivery",
  status: 202,
  response: sentMessage,
  errors: ["conflict"],
  action: "delivery.replay",
  async handle({ tx, workspaceId, params, audit }) {
    const messageId = await replayRow(tx, { workspaceId, deliveryId: params.id });
    await audit(params.id, { message_id: messageId });
    return { message_id: messageId };
  },
});
