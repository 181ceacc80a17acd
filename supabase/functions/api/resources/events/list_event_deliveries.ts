import { z } from "zod";
import { findEventDeliveries } from "./event_delivery_queries.ts";
import { findEvent } from "./event_queries.ts";
import { id, params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { delivery } from "../../contract/deliveries.ts";
import { message } from "../../contract/messages.ts";

const eventDeliveries = z.object({
  message_id: id.nullable().meta({
    description: "The message made from the event; null if no destination subscribes to it.",
  }),
  destinations: z.array(message).meta({
    description: "Every destination that the message matched, including those that still wait " +
      "for it.",
  }),
  deliveries: z.array(delivery).meta({ description: "Every attempt, newest first." }),
}).meta({ id: "EventDeliveries" });

export const listEventDeliveries = defineRoute({
  operationId: "listEventDeliveries",
  method: "GET",
  path: "/events/{id}/deliveries",
  tag: "Events",
  summary: "List the deliveries of an event",
  description: "Messages and attempts are kept for 30 days.",
  scopes: ["deliveries:read"],
  leastRole: "viewer",
  params,
  entity: "Event",
  status: 200,
  response: eventDeliveries,
  async handle({ tx, workspaceId, params }) {
    const key = { workspaceId, eventId: params.id };
    requireFound(await findEvent(tx, key), "Event");
    return await findEventDeliveries(tx, key);
  },
});
