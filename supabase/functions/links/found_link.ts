import type { LookupCache } from "../_shared/cache/lookup_cache.ts";
import type { Sql } from "../_shared/db/connect.ts";
import type { LinkTarget } from "../_shared/links/link_token.ts";

/** The parts of a cell that this function uses. */
export interface LinksCell {
  sql: Sql;
  /** Checks the database role of the cell, once. */
  checkRole: () => Promise<void> | undefined;
  /** Keys of workspaces by their ids, the newest first. */
  keys: LookupCache<readonly Uint8Array[]>;
}

/** A link whose token was verified, and the cell of its workspace. */
export interface FoundLink {
  link: LinkTarget;
  /** The key of the workspace that signed it. */
  key: Uint8Array;
  sql: Sql;
}
