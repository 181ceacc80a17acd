import {
  findSegment,
  putSegment as putRow,
  type SegmentFields,
  updateSegment,
} from "./segment_queries.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { ApiError } from "../../../_shared/errors/errors.ts";
import { readPathKey } from "../../kernel/path_key.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { isUuid, namedParams } from "../../contract/resource_names.ts";
import { bodyDepth, newSegment, segment } from "../../contract/segments.ts";
import { describeCreated } from "./describe_created.ts";
import { getSegment } from "./get_segment.ts";

interface Put {
  workspaceId: string;
  /** The id or key in the path. */
  name: string;
  fields: SegmentFields;
}

export const putSegment = defineRoute({
  operationId: "putSegment",
  method: "PUT",
  path: "/segments/{id}",
  tag: "Segments",
  summary: "Create or replace a segment",
  description:
    "With a key, creates the segment or replaces all its fields. With an id, replaces all fields " +
    "of an existing segment, but keeps its key if you leave it out. The kind cannot change.",
  scopes: ["segments:write"],
  leastRole: "member",
  params: namedParams,
  entity: "Segment",
  body: newSegment,
  maxDepth: bodyDepth,
  status: 200,
  mayCreate: true,
  response: segment,
  errors: ["conflict", "limit_reached"],
  action: ["segment.update", "segment.create"],
  shownBy: getSegment,
  async handle({ tx, workspaceId, params, body, audit, noteCreated }) {
    const put = { workspaceId, name: params.id, fields: body };
    const { id, is_created } = isUuid(params.id) ? await replace(tx, put) : await putByKey(tx, put);
    if (is_created) noteCreated();
    const stored = requireFound(await findSegment(tx, { workspaceId, segmentId: id }), "Segment");
    if (is_created) await audit({ id, action: "segment.create" }, describeCreated(stored));
    else await audit({ id, action: "segment.update" }, { name: body.name });
    return stored;
  },
});

async function putByKey(tx: CallerSql, { workspaceId, name, fields }: Put) {
  return await putRow(tx, { workspaceId, key: readPathKey(name, fields), fields });
}

async function replace(tx: CallerSql, { workspaceId, name: segmentId, fields }: Put) {
  const { kind } = requireFound(await findSegment(tx, { workspaceId, segmentId }), "Segment");
  if (kind !== (fields.kind ?? "live")) {
    throw new ApiError(
      "conflict",
      `Cannot replace segment: it is ${kind}, and its kind cannot change`,
    );
  }
  // A key that is left out stays, because other resources use it to name the segment.
  const { kind: _, ...rest } = { description: null, ...fields };
  requireFound(await updateSegment(tx, { workspaceId, segmentId, fields: rest }), "Segment");
  return { id: segmentId, is_created: false };
}
