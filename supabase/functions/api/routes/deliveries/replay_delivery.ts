import { replayDelivery as replayRow } from "../../../_shared/db/deliveries.ts";
import { params } from "../../fields.ts";
import { defineRoute } from "../../route.ts";
import { sentMessage } from "../destinations/schema.ts";

export const replayDelivery = defineRoute({
  operationId: "replayDelivery",
  method: "POST",
  path: "/deliveries/{id}/replay",
  tag: "Deliveries",
  summary: "Send the message of an attempt once more",
  scopes: ["deliveries:write"],
  leastRole: "member",
  params,
  status: 202,
  answer: sentMessage,
  errors: ["conflict"],
  action: "delivery.replay",
  async handle({ tx, workspaceId, params, audit }) {
    const messageId = await replayRow(tx, { workspaceId, deliveryId: params.id });
    await audit(params.id, { message_id: messageId });
    return { message_id: messageId };
  },
});
