import { z } from "zod";
import { listChanges } from "./member_queries.ts";
import { requireSegmentId } from "./require_segment_id.ts";
import { timePosition, uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { readPage, toPage, withoutPosition } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { change } from "../../contract/segments.ts";

const form = { list: "segment-changes", forms: [timePosition, uuidPosition] };

export const listSegmentChanges = defineRoute({
  operationId: "listSegmentChanges",
  method: "GET",
  path: "/segments/{id}/changes",
  tag: "Segments",
  summary: "List the customers that entered and left a segment",
  description: "Newest first. Changes are kept for 30 days.",
  scopes: ["segments:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Segment",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(change),
  async handle({ tx, workspaceId, params, query }) {
    const segmentId = await requireSegmentId(tx, { workspaceId, name: params.id });
    const rows = await listChanges(tx, { workspaceId, segmentId, ...readPage(form, query) });
    const page = toPage(form, {
      rows,
      limit: query.limit,
      positionOf: ({ position_at, id }) => [position_at, id],
    });
    return { ...page, data: page.data.map(withoutPosition) };
  },
});
