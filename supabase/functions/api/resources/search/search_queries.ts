import type { z } from "zod";
import type { searchResult } from "../../contract/search.ts";
import type { CallerSql } from "../../kernel/caller.ts";

/** Something that a search found. */
export type SearchHit = z.output<typeof searchResult>["data"][number];

/** Finds what the caller may read by an id, a part of a name, or the beginning of a customer. */
export async function findHits(
  tx: CallerSql,
  { workspaceId, q }: { workspaceId: string; q: string },
): Promise<SearchHit[]> {
  return await tx<SearchHit[]>`
    select h.type, h.id, h.parent_id, coalesce(h.title, h.id::text) as title, h.subtitle
    from private.search(${workspaceId}, ${q}) as h
  `;
}
