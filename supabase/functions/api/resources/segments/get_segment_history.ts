import { z } from "zod";
import { listHistory } from "./member_queries.ts";
import { requireSegmentId } from "./require_segment_id.ts";
import { defineRoute } from "../../kernel/route.ts";
import { rangeQuery, rangeRules, readRange, responseRange } from "../../contract/range.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { memberHistory } from "../../contract/segments.ts";

export const getSegmentHistory = defineRoute({
  operationId: "getSegmentHistory",
  method: "GET",
  path: "/segments/{id}/history",
  tag: "Segments",
  summary: "Count the customers that entered, left and were members over time",
  description: rangeRules,
  scopes: ["segments:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Segment",
  query: z.strictObject(rangeQuery),
  status: 200,
  response: z.object({ ...responseRange, data: memberHistory }).meta({ id: "SegmentHistory" }),
  async handle({ tx, workspaceId, params, query, service }) {
    const segmentId = await requireSegmentId(tx, { workspaceId, name: params.id });
    const { interval, since, until } = readRange(query, service.now());
    const data = await listHistory(tx, { workspaceId, segmentId, interval, since, until });
    return { interval, since: data[0]?.at ?? since, until, data };
  },
});
