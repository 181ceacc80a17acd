import { z } from "zod";
import { listMembers as listRows } from "./member_queries.ts";
import { requireSegmentId } from "./require_segment_id.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { member } from "../../contract/segments.ts";

const form = { list: "segment-members", forms: [uuidPosition] };

export const listSegmentCustomers = defineRoute({
  operationId: "listSegmentCustomers",
  method: "GET",
  path: "/segments/{id}/customers",
  tag: "Segments",
  summary: "List the members of a segment",
  description: "Newest customers first.",
  scopes: ["segments:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Segment",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(member),
  async handle({ tx, workspaceId, params, query }) {
    const segmentId = await requireSegmentId(tx, { workspaceId, name: params.id });
    const rows = await listRows(tx, { workspaceId, segmentId, ...readPage(form, query) });
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
