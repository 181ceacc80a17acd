import { createSegment as insertSegment, findSegment } from "./segment_queries.ts";
import { describeCreated } from "./describe_created.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { bodyDepth, newSegment, segment } from "../../contract/segments.ts";

export const createSegment = defineRoute({
  operationId: "createSegment",
  method: "POST",
  path: "/segments",
  tag: "Segments",
  summary: "Create a segment",
  description:
    "The service computes the first members over all history, and sends no webhooks for them.",
  scopes: ["segments:write"],
  leastRole: "member",
  body: newSegment,
  maxDepth: bodyDepth,
  status: 201,
  response: segment,
  errors: ["limit_reached"],
  action: "segment.create",
  async handle({ tx, workspaceId, body, audit }) {
    const segmentId = await insertSegment(tx, { workspaceId, fields: body });
    const created = requireFound(await findSegment(tx, { workspaceId, segmentId }), "Segment");
    await audit(segmentId, describeCreated(created));
    return created;
  },
});
