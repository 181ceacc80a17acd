import type { Sql } from "../db/connect.ts";
import { findOrRedirect } from "./find_or_redirect.ts";

/** A live key as returned by `private.authenticate_keys`. */
export interface ApiKeyRow {
  id: string;
  workspaceId: string;
  scopes: string[];
  expiresAt: Date | null;
  /** True if the workspace stores the addresses that browsers call from. */
  fillsBrowserIp: boolean;
  /** The cell to which the workspace has moved. */
  movedTo?: string;
}

/**
 * Returns the live keys with these SHA-256 hashes, in order; undefined for a key that is not live.
 */
export async function authenticateKeys(
  sql: Sql,
  hashes: readonly Uint8Array[],
): Promise<(ApiKeyRow | undefined)[]> {
  const sent = hashes.map(writeHex);
  const literal = `{${sent.map((hex) => `"\\\\x${hex}"`).join()}}`;
  const rows = await sql<(ApiKeyRow & { hash: string })[]>`
    select
      encode(k.key_hash, 'hex') as hash,
      k.api_key_id as id, k.workspace_id as "workspaceId", to_jsonb(k.scopes) as scopes,
      k.expires_at as "expiresAt", k.fill_browser_ip as "fillsBrowserIp"
    from private.authenticate_keys(${literal}::text::bytea[]) as k
  `;
  const found = new Map(rows.map(({ hash, ...row }) => [hash, row]));
  return sent.map((hex) => found.get(hex));
}

/**
 * Returns the live keys like `authenticateKeys`. A key whose workspace moved to another cell has
 * only `movedTo`, and no scope.
 */
export async function authenticateOrRedirectKeys(
  sql: Sql,
  hashes: readonly Uint8Array[],
): Promise<(ApiKeyRow | undefined)[]> {
  const rows = await findOrRedirect({
    sql,
    keys: hashes,
    find: (some) => authenticateKeys(sql, some),
    addressOf: writeHex,
  });
  return rows.map((row) =>
    row !== undefined && "movedTo" in row && row.movedTo !== undefined
      ? { ...noKey, movedTo: row.movedTo }
      : row as ApiKeyRow | undefined
  );
}

const noKey: ApiKeyRow = {
  id: "",
  workspaceId: "",
  scopes: [],
  expiresAt: null,
  fillsBrowserIp: false,
};

function writeHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
