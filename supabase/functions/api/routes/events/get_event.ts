import { findEvent } from "../../../_shared/db/events.ts";
import { params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { event } from "./schema.ts";

export const getEvent = defineRoute({
  operationId: "getEvent",
  method: "GET",
  path: "/events/{id}",
  tag: "Events",
  summary: "Read an event",
  scopes: ["events:read"],
  leastRole: "viewer",
  params,
  status: 200,
  answer: event,
  async handle({ tx, workspaceId, params }) {
    return requireFound(await findEvent(tx, { workspaceId, eventId: params.id }), "Event");
  },
});
