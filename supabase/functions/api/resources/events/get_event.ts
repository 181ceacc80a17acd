import { findEvent } from "./event_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { event } from "../../contract/events.ts";

export const getEvent = defineRoute({
  operationId: "getEvent",
  method: "GET",
  path: "/events/{id}",
  tag: "Events",
  summary: "Get an event",
  scopes: ["events:read"],
  leastRole: "viewer",
  params,
  entity: "Event",
  status: 200,
  response: event,
  async handle({ tx, workspaceId, params }) {
    return requireFound(await findEvent(tx, { workspaceId, eventId: params.id }), "Event");
  },
});
