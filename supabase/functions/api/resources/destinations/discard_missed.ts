import { discardMissed as discardRows } from "./destination_queries.ts";
import { params } from "../../contract/fields.ts";
import { defineRoute } from "../../kernel/route.ts";
import { startedJob } from "../../contract/destinations.ts";

export const discardMissed = defineRoute({
  operationId: "discardMissed",
  method: "POST",
  path: "/destinations/{id}/discard",
  tag: "Destinations",
  summary: "Discard the messages missed while the destination was disabled",
  scopes: ["destinations:write"],
  leastRole: "member",
  params,
  entity: "Destination",
  status: 202,
  response: startedJob,
  errors: ["limit_reached"],
  action: "destination.discard",
  async handle({ tx, workspaceId, params, audit }) {
    const job = await discardRows(tx, { workspaceId, destinationId: params.id });
    await audit(params.id, { ...job });
    return job;
  },
});
