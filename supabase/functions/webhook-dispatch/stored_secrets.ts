import type { Sql } from "../_shared/db/connect.ts";

/** A secret as stored in the database. */
export interface StoredSecret {
  /** The kind of its owner: see private.secret_owners. */
  kind: string;
  workspace_id: string;
  owner_id: string;
  id: string;
  ciphertext: string;
}

/** A secret with its new ciphertext. */
export interface ReplacedSecret extends StoredSecret {
  replacement: string;
}

/** Lists the ids of all encryption keys in use by secrets. */
export async function listKeyIds(sql: Sql): Promise<string[]> {
  const rows = await sql<{ key_id: string }[]>`
    select k.key_id from private.secret_key_ids() as k (key_id)
  `;
  return rows.map(({ key_id }) => key_id);
}

/** Counts the secrets under these keys. */
export async function countSecrets(sql: Sql, keyIds: readonly string[]): Promise<number> {
  const rows = await sql<{ secrets: number }[]>`
    select private.count_secrets(
      array(select jsonb_array_elements_text(${JSON.stringify(keyIds)}::text::jsonb))
    ) as secrets
  `;
  return rows[0]?.secrets ?? 0;
}

/** Lists the next secrets under a key, ordered by id; `after` is the last id seen. */
export async function listStaleSecrets(
  sql: Sql,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<StoredSecret[]> {
  return await sql<StoredSecret[]>`
    select s.kind, s.workspace_id, s.owner_id, s.id, s.ciphertext
    from private.stale_secrets(${keyId}, ${after}, ${limit}) as s
  `;
}

/** Replaces ciphertexts that have not changed since they were read; returns how many. */
export async function replaceCiphertexts(
  sql: Sql,
  replaced: readonly ReplacedSecret[],
): Promise<number> {
  const rows = await sql<{ secrets: number }[]>`
    select private.replace_ciphertexts(${JSON.stringify(replaced)}) as secrets
  `;
  return rows[0]?.secrets ?? 0;
}
