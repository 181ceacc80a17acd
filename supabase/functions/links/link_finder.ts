import { createGroupLookup } from "../_shared/cache/group_lookup.ts";
import { createLookupCache, type LookupCache } from "../_shared/cache/lookup_cache.ts";
import type { Cells } from "../_shared/config/cells.ts";
import type { Sql } from "../_shared/db/connect.ts";
import { isMoving } from "../_shared/db/errors.ts";
import { type LinkKind, readLinkToken, verifyLink } from "../_shared/links/link_token.ts";
import { findLinkKeys } from "./link_queries.ts";
import type { FoundLink, LinksCell } from "./found_link.ts";

/** Verifies tokens, in the cell of their workspace. */
export interface LinkFinder {
  /** Returns the link of a token of this kind; undefined for a malformed or forged one. */
  find(token: string, kind: LinkKind): Promise<FoundLink | undefined>;
  /** Forgets the key of a workspace if the error says that the workspace is being moved. */
  noteError(workspaceId: string, error: unknown): void;
}

/** Looks up the keys of workspaces in one cell, with a bounded cache. */
export function createLinkKeys(
  { sql, now }: { sql: Sql; now: () => Date },
): LookupCache<Uint8Array> {
  const group = createGroupLookup<string, Uint8Array>({
    noun: "workspaces",
    lookUp: (ids) => findLinkKeys(sql, ids),
  });
  return createLookupCache({ now, lookUp: (id, wasKnown) => group.find(id, wasKnown) });
}

/** Creates a finder. A token names its workspace and no cell, so all cells are asked at once. */
export function createLinkFinder(cells: Cells<LinksCell>): LinkFinder {
  async function findKey(workspaceId: string) {
    const found = await Promise.all([...cells.values()].map(async ({ sql, checkRole, keys }) => {
      await checkRole();
      const key = await keys.get(workspaceId);
      return key === undefined ? undefined : { sql, key };
    }));
    return found.find((each) => each !== undefined);
  }

  return {
    async find(token, kind) {
      const claimed = readLinkToken(token);
      if (claimed === undefined || claimed.kind !== kind) return undefined;
      const found = await findKey(claimed.workspaceId);
      if (found === undefined || !verifyLink(claimed, found.key)) return undefined;
      const { workspaceId, sendId, index } = claimed;
      return { link: { kind, workspaceId, sendId, index }, ...found };
    },
    noteError(workspaceId, error) {
      if (!isMoving(error)) return;
      for (const { keys } of cells.values()) keys.forget(workspaceId);
    },
  };
}
