import { z } from "zod";
import { exportFormats, formatMembers } from "./export_formats.ts";
import { listMembers } from "./member_queries.ts";
import { findSegment } from "./segment_queries.ts";
import { requireSegmentId } from "./require_segment_id.ts";
import { oneOf } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { type Call, defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";

const pageRows = 200;

export const exportSegment = defineRoute({
  operationId: "exportSegment",
  method: "GET",
  path: "/segments/{id}/export",
  tag: "Segments",
  summary: "Export the members of a segment",
  description: "As CSV or as one JSON object per line, the newest customer first. A cell that a " +
    'spreadsheet would run as a formula begins with "\'". Members that come or go meanwhile may be ' +
    "missing or included.",
  scopes: ["segments:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Segment",
  query: z.strictObject({ format: oneOf(["csv", "ndjson"]).default("csv") }),
  status: 200,
  streams: Object.values(exportFormats).map(({ mediaType }) => mediaType),
  async handle({ tx, workspaceId, params, query, readLater }) {
    const segmentId = await requireSegmentId(tx, { workspaceId, name: params.id });
    const { key } = requireFound(await findSegment(tx, { workspaceId, segmentId }), "Segment");
    const { mediaType } = exportFormats[query.format];
    const pages = readMembers(readLater, { workspaceId, segmentId });
    return {
      mediaType,
      fileName: `${key ?? segmentId}.${query.format}`,
      parts: formatMembers(query.format, pages),
    };
  },
});

async function* readMembers(
  readLater: Call["readLater"],
  segment: { workspaceId: string; segmentId: string },
) {
  let after: string[] | undefined;
  for (;;) {
    const page = { ...segment, limit: pageRows, after };
    const rows = (await readLater((tx) => listMembers(tx, page))).slice(0, pageRows);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = [last.id];
  }
}
