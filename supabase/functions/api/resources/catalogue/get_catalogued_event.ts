import { z } from "zod";
import { cataloguedEventDetails } from "../../contract/catalogue.ts";
import { text } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { describeEvent } from "./describe_event.ts";

/** The path of an event name. */
export const nameParams = z.strictObject({
  name: text(200).meta({ example: "order_completed" }),
});

export const getCataloguedEvent = defineRoute({
  operationId: "getCataloguedEvent",
  method: "GET",
  path: "/catalogue/{name}",
  tag: "Catalogue",
  summary: "Get an event name with its properties",
  description: "Types and shares come from samples: up to 50 new events every 10 minutes. " +
    "Examples are read from the newest events, and are not stored anywhere else.",
  scopes: ["events:read"],
  leastRole: "viewer",
  params: nameParams,
  entity: "Event name",
  status: 200,
  response: cataloguedEventDetails,
  async handle({ tx, workspaceId, params }) {
    return requireFound(await describeEvent(tx, { workspaceId, name: params.name }), "Event name");
  },
});
