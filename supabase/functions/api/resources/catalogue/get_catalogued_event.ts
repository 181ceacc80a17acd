import { cataloguedEventDetails, nameParams, nameQuery } from "../../contract/catalogue.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { describeEvent } from "./describe_event.ts";

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
  query: nameQuery,
  status: 200,
  response: cataloguedEventDetails,
  async handle({ tx, workspaceId, params, query }) {
    const { name = params.name } = query;
    return requireFound(await describeEvent(tx, { workspaceId, name }), "Event name");
  },
});
