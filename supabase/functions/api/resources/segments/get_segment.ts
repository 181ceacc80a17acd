import { findSegment } from "./segment_queries.ts";
import { requireSegmentId } from "./require_segment_id.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { segment } from "../../contract/segments.ts";

export const getSegment = defineRoute({
  operationId: "getSegment",
  method: "GET",
  path: "/segments/{id}",
  tag: "Segments",
  summary: "Get a segment",
  scopes: ["segments:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Segment",
  status: 200,
  response: segment,
  async handle({ tx, workspaceId, params }) {
    const segmentId = await requireSegmentId(tx, { workspaceId, name: params.id });
    return requireFound(await findSegment(tx, { workspaceId, segmentId }), "Segment");
  },
});
