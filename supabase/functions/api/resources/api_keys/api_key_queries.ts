import type { Scope } from "../../../_shared/access/auth.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { lastUuid, type PageRequest } from "../../kernel/page_queries.ts";

/** An API key without its secret. */
export interface ManagedKey {
  id: string;
  name: string;
  last_four: string;
  scopes: Scope[];
  created_by: string | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

/** Lists keys, newest first, including revoked ones. */
export async function listKeys(
  tx: CallerSql,
  { workspaceId, limit, after }: PageRequest & { workspaceId: string },
): Promise<ManagedKey[]> {
  return await tx<ManagedKey[]>`
    ${selectKeys(tx)}
    where k.workspace_id = ${workspaceId} and k.id < ${after?.[0] ?? lastUuid}
    order by k.id desc
    limit ${limit + 1}
  `;
}

export interface KeyId {
  workspaceId: string;
  keyId: string;
}

/** Returns one key, or undefined if the caller cannot see it. */
export async function findKey(
  tx: CallerSql,
  { workspaceId, keyId }: KeyId,
): Promise<ManagedKey | undefined> {
  const rows = await tx<ManagedKey[]>`
    ${selectKeys(tx)}
    where k.workspace_id = ${workspaceId} and k.id = ${keyId}
  `;
  return rows[0];
}

function selectKeys(tx: CallerSql) {
  return tx`
    select
      k.id, k.name, k.last_four, to_jsonb(k.scopes) as scopes, k.created_by,
      private.rfc3339(k.created_at) as created_at, private.rfc3339(k.expires_at) as expires_at,
      private.rfc3339(k.revoked_at) as revoked_at, private.rfc3339(k.last_used_at) as last_used_at
    from private.api_keys as k
  `;
}

export interface NewKey {
  workspaceId: string;
  keyId: string;
  userId: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt: string | undefined;
  hash: Uint8Array;
  lastFour: string;
}

export async function createKey(tx: CallerSql, key: NewKey): Promise<void> {
  await tx`
    insert into private.api_keys (
      hash, id, workspace_id, name, last_four, scopes, created_by, expires_at
    )
    values (
      ${key.hash}, ${key.keyId}, ${key.workspaceId}, ${key.name}, ${key.lastFour},
      array(select jsonb_array_elements_text(${JSON.stringify(key.scopes)}::text::jsonb)),
      ${key.userId}, ${key.expiresAt ?? null}
    )
  `;
}

/** Revokes a key permanently, within 10 s; false if it does not exist. */
export async function revokeKey(tx: CallerSql, { workspaceId, keyId }: KeyId): Promise<boolean> {
  const revoked = await tx`
    update private.api_keys as k set revoked_at = coalesce(k.revoked_at, now())
    where k.workspace_id = ${workspaceId} and k.id = ${keyId}
  `;
  return revoked.count > 0;
}
