import {
  cataloguedEventDetails,
  eventDefinitionEdit,
  nameParams,
  nameQuery,
} from "../../contract/catalogue.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { changeDefinition } from "./catalogue_queries.ts";
import { describeEvent } from "./describe_event.ts";
import { getCataloguedEvent } from "./get_catalogued_event.ts";

export const updateEventDefinition = defineRoute({
  operationId: "updateEventDefinition",
  method: "PATCH",
  path: "/catalogue/{name}",
  tag: "Catalogue",
  summary: "Describe an event name, and list its expected properties",
  description: "Works only for names that have been seen. The service still stores events with " +
    "other properties, and the catalogue marks them. A key without the scope `events:read` sees " +
    "no examples.",
  scopes: ["events:write"],
  leastRole: "member",
  params: nameParams,
  entity: "Event name",
  query: nameQuery,
  body: eventDefinitionEdit,
  status: 200,
  response: cataloguedEventDetails,
  errors: ["conflict"],
  action: "event_definition.update",
  shownBy: getCataloguedEvent,
  async handle({ tx, workspaceId, params, query, body, audit }) {
    const { name = params.name } = query;
    const event = { workspaceId, name };
    requireFound(await changeDefinition(tx, { ...event, fields: body }), "Event name");
    await audit(name, { fields: Object.keys(body) });
    return requireFound(await describeEvent(tx, event), "Event name");
  },
});
