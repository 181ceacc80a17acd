import type { Sql } from "./connect.ts";

/** A live key as `private.authenticate_key` tells of it. */
export interface ApiKeyRow {
  id: string;
  workspaceId: string;
  scopes: string[];
  expiresAt: Date | null;
}

/** The live key with this SHA-256; undefined when it is unknown, expired or revoked. */
export async function authenticateKey(sql: Sql, hash: Uint8Array): Promise<ApiKeyRow | undefined> {
  const rows = await sql<ApiKeyRow[]>`
    select
      k.api_key_id as id, k.workspace_id as "workspaceId", to_jsonb(k.scopes) as scopes,
      k.expires_at as "expiresAt"
    from private.authenticate_key(${hash}) as k
  `;
  return rows[0];
}
