import type { CallerSql } from "../../kernel/caller.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { findSegmentId } from "./segment_queries.ts";

/** Returns the id of the segment that a path names by id or key; throws `not_found` without one. */
export async function requireSegmentId(
  tx: CallerSql,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<string> {
  return requireFound(await findSegmentId(tx, { workspaceId, name }), "Segment");
}
