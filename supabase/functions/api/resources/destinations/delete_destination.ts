import { deleteDestination as deleteRow } from "./destination_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

export const deleteDestination = defineRoute({
  operationId: "deleteDestination",
  method: "DELETE",
  path: "/destinations/{id}",
  tag: "Destinations",
  summary: "Delete a destination",
  description: "Waiting messages are not sent. Past deliveries stay in the log.",
  scopes: ["destinations:write"],
  leastRole: "admin",
  params,
  entity: "Destination",
  status: 204,
  action: "destination.delete",
  async handle({ tx, workspaceId, params, audit }) {
    const key = { workspaceId, destinationId: params.id };
    const name = requireFound(await deleteRow(tx, key), "Destination");
    await audit(params.id, { name });
  },
});
