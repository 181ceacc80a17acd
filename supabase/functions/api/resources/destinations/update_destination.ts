import { findDestination, updateDestination as updateRow } from "./destination_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { destination, destinationEdit, requireUrl } from "../../contract/destinations.ts";
import { getDestination } from "./get_destination.ts";

export const updateDestination = defineRoute({
  operationId: "updateDestination",
  method: "PATCH",
  path: "/destinations/{id}",
  tag: "Destinations",
  summary: "Change, enable or disable a destination",
  scopes: ["destinations:write"],
  leastRole: "admin",
  params,
  entity: "Destination",
  body: destinationEdit,
  status: 200,
  response: destination,
  action: "destination.update",
  shownBy: getDestination,
  async handle({ tx, workspaceId, params, body, service, audit }) {
    requireUrl(body.url, service.allowedRanges);
    const key = { workspaceId, destinationId: params.id };
    requireFound(await updateRow(tx, { ...key, fields: body }), "Destination");
    await audit(params.id, { fields: Object.keys(body) });
    return requireFound(await findDestination(tx, key), "Destination");
  },
});
