import { deleteSegment as deleteRow } from "./segment_queries.ts";
import { requireSegmentId } from "./require_segment_id.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { getSegment } from "./get_segment.ts";

export const deleteSegment = defineRoute({
  operationId: "deleteSegment",
  method: "DELETE",
  path: "/segments/{id}",
  tag: "Segments",
  summary: "Delete a segment",
  description: "Sends no webhooks. You cannot delete a segment that another segment refers to.",
  scopes: ["segments:write"],
  leastRole: "member",
  params: namedParams,
  entity: "Segment",
  status: 204,
  errors: ["conflict"],
  action: "segment.delete",
  shownBy: getSegment,
  async handle({ tx, workspaceId, params, audit }) {
    const segmentId = await requireSegmentId(tx, { workspaceId, name: params.id });
    requireFound(await deleteRow(tx, { workspaceId, segmentId }), "Segment");
    await audit(segmentId);
  },
});
