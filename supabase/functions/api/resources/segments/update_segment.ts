import { findSegment, updateSegment as updateRow } from "./segment_queries.ts";
import { requireSegmentId } from "./require_segment_id.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { bodyDepth, segment, segmentEdit } from "../../contract/segments.ts";
import { getSegment } from "./get_segment.ts";

export const updateSegment = defineRoute({
  operationId: "updateSegment",
  method: "PATCH",
  path: "/segments/{id}",
  tag: "Segments",
  summary: "Change a segment",
  description: "If the condition changes, the service computes the members again over all " +
    "history, and sends no webhooks. The former members stay until that is done.",
  scopes: ["segments:write"],
  leastRole: "member",
  params: namedParams,
  entity: "Segment",
  body: segmentEdit,
  maxDepth: bodyDepth,
  status: 200,
  response: segment,
  errors: ["conflict"],
  action: "segment.update",
  shownBy: getSegment,
  async handle({ tx, workspaceId, params, body, audit }) {
    const segmentId = await requireSegmentId(tx, { workspaceId, name: params.id });
    requireFound(await updateRow(tx, { workspaceId, segmentId, fields: body }), "Segment");
    await audit(segmentId, { fields: Object.keys(body) });
    return requireFound(await findSegment(tx, { workspaceId, segmentId }), "Segment");
  },
});
