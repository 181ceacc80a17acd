import { z } from "zod";
import { recoverMissed as recoverRows } from "./destination_queries.ts";
import { params, time } from "../../contract/fields.ts";
import { defineRoute } from "../../kernel/route.ts";
import { startedJob } from "../../contract/destinations.ts";

export const recoverMissed = defineRoute({
  operationId: "recoverMissed",
  method: "POST",
  path: "/destinations/{id}/recover",
  tag: "Destinations",
  summary: "Send the messages missed while the destination was disabled",
  scopes: ["destinations:write"],
  leastRole: "member",
  params,
  entity: "Destination",
  body: z.strictObject({ since: time.optional() }),
  isBodyOptional: true,
  status: 202,
  response: startedJob,
  errors: ["conflict", "limit_reached"],
  action: "destination.recover",
  async handle({ tx, workspaceId, params, body, audit }) {
    const job = await recoverRows(tx, { workspaceId, destinationId: params.id, ...body });
    await audit(params.id, { ...body, ...job });
    return job;
  },
});
