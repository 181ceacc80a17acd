import { findDestination } from "../../../_shared/db/destinations.ts";
import { params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { destination } from "./schema.ts";

export const getDestination = defineRoute({
  operationId: "getDestination",
  method: "GET",
  path: "/destinations/{id}",
  tag: "Destinations",
  summary: "Read a destination",
  scopes: ["destinations:read"],
  leastRole: "viewer",
  params,
  status: 200,
  answer: destination,
  async handle({ tx, workspaceId, params }) {
    const found = await findDestination(tx, { workspaceId, destinationId: params.id });
    return requireFound(found, "Destination");
  },
});
