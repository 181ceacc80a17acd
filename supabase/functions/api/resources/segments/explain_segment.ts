import { explainSegment as explain } from "./condition_queries.ts";
import { requireSegmentId } from "./require_segment_id.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { explainedCustomer, explanation } from "../../contract/segments.ts";

export const explainSegment = defineRoute({
  operationId: "explainSegment",
  method: "POST",
  path: "/segments/{id}/explain",
  tag: "Segments",
  summary: "Explain why a customer is or is not a member",
  scopes: ["segments:read", "segments:write"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Segment",
  body: explainedCustomer,
  status: 200,
  response: explanation,
  isDry: true,
  async handle({ tx, workspaceId, params, body }) {
    const segmentId = await requireSegmentId(tx, { workspaceId, name: params.id });
    const found = await explain(tx, { workspaceId, segmentId, customerId: body.customer_id });
    return requireFound(found, "Customer");
  },
});
