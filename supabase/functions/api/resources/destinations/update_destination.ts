import {
  findDestination,
  lockDestination,
  updateDestination as updateRow,
} from "./destination_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import {
  bodyDepth,
  destination,
  destinationEdit,
  requireUrl,
} from "../../contract/destinations.ts";
import { checkHeaders, describeHeaders, saveHeaders } from "./save_headers.ts";
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
  maxDepth: bodyDepth,
  status: 200,
  response: destination,
  errors: ["conflict"],
  action: "destination.update",
  shownBy: getDestination,
  async handle({ tx, workspaceId, params, body, service, audit }) {
    // Values of headers are secrets, and never reach the database as they are.
    const { headers, ...fields } = body;
    requireUrl(body.url, service.allowedRanges);
    const key = { workspaceId, destinationId: params.id };
    const stored = requireFound(await lockDestination(tx, key), "Destination");
    checkHeaders(stored, body);
    await updateRow(tx, { ...key, fields });
    await saveHeaders(tx, { ...key, headers, service });
    await audit(params.id, {
      fields: Object.keys(body),
      headers: describeHeaders(stored, headers),
    });
    return requireFound(await findDestination(tx, key), "Destination");
  },
});
