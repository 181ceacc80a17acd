import { createGroupLookup } from "../_shared/cache/group_lookup.ts";
import { createLookupCache, type LookupCache } from "../_shared/cache/lookup_cache.ts";
import type { Cells } from "../_shared/config/cells.ts";
import type { Sql } from "../_shared/db/connect.ts";
import { isMoving } from "../_shared/db/errors.ts";
import {
  type ClaimedLink,
  type LinkKind,
  readLinkToken,
  verifyLink,
} from "../_shared/links/link_token.ts";
import { createCallBudget } from "../_shared/rate_limit/call_budget.ts";
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
): LookupCache<readonly Uint8Array[]> {
  const group = createGroupLookup<string, readonly Uint8Array[]>({
    noun: "workspaces",
    lookUp: (ids) => findLinkKeys(sql, ids),
  });
  return createLookupCache({ now, lookUp: (id, wasKnown) => group.find(id, wasKnown) });
}

/**
 * Creates a finder. A token names its workspace but no cell, so all cells are asked at once. If no
 * known key signed a token, a newer key may have: the keys are read again.
 */
export function createLinkFinder(
  { cells, now }: { cells: Cells<LinksCell>; now: () => Date },
): LinkFinder {
  // Anyone can forge tokens: they cause few queries.
  const reloads = createCallBudget({ now });

  async function findKeys(workspaceId: string) {
    const found = await Promise.all([...cells.values()].map(async ({ sql, checkRole, keys }) => {
      await checkRole();
      const known = await keys.get(workspaceId);
      return known === undefined ? undefined : { sql, keys: known };
    }));
    return found.find((each) => each !== undefined);
  }

  function forget(workspaceId: string): void {
    for (const { keys } of cells.values()) keys.forget(workspaceId);
  }

  async function findSigner(claimed: ClaimedLink) {
    const { workspaceId } = claimed;
    const pick = (found: Awaited<ReturnType<typeof findKeys>>) => {
      const key = found?.keys.find((each) => verifyLink(claimed, each));
      return found && key && { sql: found.sql, key };
    };
    const found = await findKeys(workspaceId);
    const signer = pick(found);
    if (signer || found === undefined || !reloads.spend(workspaceId)) return signer;
    forget(workspaceId);
    return pick(await findKeys(workspaceId));
  }

  return {
    async find(token, kind) {
      const claimed = readLinkToken(token);
      if (claimed === undefined || claimed.kind !== kind) return undefined;
      const signer = await findSigner(claimed);
      if (signer === undefined) return undefined;
      const { workspaceId, sendId, index } = claimed;
      return { link: { kind, workspaceId, sendId, index }, ...signer };
    },
    noteError(workspaceId, error) {
      if (isMoving(error)) forget(workspaceId);
    },
  };
}
