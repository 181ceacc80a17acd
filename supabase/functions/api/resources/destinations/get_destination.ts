import { findDestination } from "./destination_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { destination } from "../../contract/destinations.ts";

export const getDestination = defineRoute({
  operationId: "getDestination",
  method: "GET",
  path: "/destinations/{id}",
  tag: "Destinations",
  summary: "Get a destination",
  scopes: ["destinations:read"],
  leastRole: "viewer",
  params,
  entity: "Destination",
  status: 200,
  response: destination,
  async handle({ tx, workspaceId, params }) {
    const found = await findDestination(tx, { workspaceId, destinationId: params.id });
    return requireFound(found, "Destination");
  },
});
