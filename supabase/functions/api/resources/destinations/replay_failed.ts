import { replayFailed as replayRows } from "./destination_queries.ts";
import { params } from "../../contract/fields.ts";
import { defineRoute } from "../../kernel/route.ts";
import { startedJob } from "../../contract/destinations.ts";
import { replayRange } from "../../contract/jobs.ts";

export const replayFailed = defineRoute({
  operationId: "replayFailed",
  method: "POST",
  path: "/destinations/{id}/replay",
  tag: "Destinations",
  summary: "Resend the failed messages of a time range",
  description: "Skips messages that have been delivered since.",
  scopes: ["destinations:write"],
  leastRole: "member",
  params,
  entity: "Destination",
  body: replayRange,
  status: 202,
  response: startedJob,
  errors: ["conflict", "limit_reached"],
  action: "destination.replay",
  async handle({ tx, workspaceId, params, body, audit }) {
    const job = await replayRows(tx, { workspaceId, destinationId: params.id, ...body });
    await audit(params.id, { ...body, ...job });
    return job;
  },
});
