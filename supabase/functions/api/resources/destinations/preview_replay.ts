import { previewReplay as countRows } from "./destination_queries.ts";
import { params } from "../../contract/fields.ts";
import { replayPreview, replayRange } from "../../contract/jobs.ts";
import { defineRoute } from "../../kernel/route.ts";

export const previewReplay = defineRoute({
  operationId: "previewReplay",
  method: "POST",
  path: "/destinations/{id}/replay-preview",
  tag: "Destinations",
  summary: "Count the messages that a replay would resend",
  description: "Takes the range of a replay, and changes nothing.",
  scopes: ["destinations:write"],
  leastRole: "member",
  params,
  entity: "Destination",
  body: replayRange,
  status: 200,
  response: replayPreview,
  isDry: true,
  async handle({ tx, workspaceId, params, body }) {
    return await countRows(tx, { workspaceId, destinationId: params.id, ...body });
  },
});
