import { previewCondition } from "./condition_queries.ts";
import { defineRoute } from "../../kernel/route.ts";
import { bodyDepth, newPreview, preview } from "../../contract/segments.ts";

export const previewSegment = defineRoute({
  operationId: "previewSegment",
  method: "POST",
  path: "/segments/preview",
  tag: "Segments",
  summary: "Count the customers that meet a condition",
  description: "The count is exact if it takes under 2 seconds, otherwise an estimate.",
  scopes: ["segments:read", "segments:write"],
  leastRole: "viewer",
  body: newPreview,
  maxDepth: bodyDepth,
  status: 200,
  response: preview,
  isDry: true,
  async handle({ tx, workspaceId, body }) {
    return await previewCondition(tx, { workspaceId, condition: body.condition });
  },
});
