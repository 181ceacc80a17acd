import { removeMembers } from "./member_queries.ts";
import { requireSegmentId } from "./require_segment_id.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { memberChange, namedCustomers } from "../../contract/segments.ts";

export const removeSegmentCustomers = defineRoute({
  operationId: "removeSegmentCustomers",
  method: "DELETE",
  path: "/segments/{id}/customers",
  tag: "Segments",
  summary: "Remove customers from a static segment",
  description:
    "Accepts ids, external ids and email addresses, up to 10,000 in total. A repeat changes " +
    "nothing.",
  scopes: ["segments:write"],
  leastRole: "member",
  params: namedParams,
  entity: "Segment",
  body: namedCustomers,
  status: 200,
  response: memberChange,
  errors: ["conflict"],
  action: "segment.remove_customers",
  async handle({ tx, workspaceId, params, body, audit }) {
    const segmentId = await requireSegmentId(tx, { workspaceId, name: params.id });
    const change = await removeMembers(tx, { workspaceId, segmentId, named: body });
    await audit(segmentId, { customers: change.changed });
    return change;
  },
});
