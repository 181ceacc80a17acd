import type { Sql } from "../_shared/db/connect.ts";
import {
  countSecrets,
  listKeyIds,
  listStaleSecrets,
  replaceCiphertexts,
  type ReplacedSecret,
  type StoredSecret,
} from "./stored_secrets.ts";
import type { Log } from "../_shared/log/log.ts";
import type { SecretBox } from "../_shared/secrets/secrets.ts";

/** Encrypts stored secrets with the current key; yields the number after each batch. */
export type Reencrypt = () => AsyncIterable<number>;

const batch = 250;
const firstId = "00000000-0000-0000-0000-000000000000";

/**
 * Creates the task that completes a change of `SECRETS_ENCRYPTION_KEY`. Secrets under another key
 * are encrypted again with the current one; secrets whose key is missing are counted and left
 * unchanged. A secret is replaced only if it has not changed since it was read, so any number of
 * dispatchers may do this concurrently, be interrupted and start again.
 */
export function createReencrypt(
  { sql, secrets, log }: { sql: Sql; secrets: SecretBox; log: Log },
): Reencrypt {
  const [current, ...retired] = secrets.keyIds;
  let told = "";
  return async function* () {
    const stale = (await listKeyIds(sql)).filter((id) => id !== current);
    const unknown = stale.filter((id) => !retired.includes(id));
    let unreadable = unknown.length > 0 ? await countSecrets(sql, unknown) : 0;
    const keyIds = new Set(unknown);
    for await (const { keyId, found } of listBatches(sql, stale.filter((id) => !keyIds.has(id)))) {
      const replaced = await reencryptAll(secrets, found);
      if (replaced.length < found.length) keyIds.add(keyId);
      unreadable += found.length - replaced.length;
      const count = replaced.length > 0 ? await replaceCiphertexts(sql, replaced) : 0;
      if (count > 0) log.info("secrets_reencrypted", { secrets: count, key_id: current });
      yield count;
    }
    const fields = { secrets: unreadable, key_ids: [...keyIds] };
    const news = JSON.stringify(fields);
    // Log again only when the set changes.
    if (unreadable > 0 && news !== told) log.error("secrets_unreadable", fields);
    told = news;
  };
}

/** Lists all secrets under these keys, each once. */
async function* listBatches(
  sql: Sql,
  keyIds: readonly string[],
): AsyncGenerator<{ keyId: string; found: StoredSecret[] }> {
  for (const keyId of keyIds) {
    let after: string | undefined = firstId;
    while (after !== undefined) {
      const found: StoredSecret[] = await listStaleSecrets(sql, { keyId, after, limit: batch });
      yield { keyId, found };
      after = found.length === batch ? found.at(-1)?.id : undefined;
    }
  }
}

/** Skips secrets that do not decrypt: damaged ones, or another owner's. */
async function reencryptAll(
  box: SecretBox,
  found: readonly StoredSecret[],
): Promise<ReplacedSecret[]> {
  const all = await Promise.all(found.map(async (secret) => {
    const { kind, workspace_id: workspaceId, owner_id: id, ciphertext } = secret;
    const replacement = await box.reencrypt({ kind, workspaceId, id }, ciphertext)
      .catch(() => undefined);
    return replacement === undefined ? [] : [{ ...secret, replacement }];
  }));
  return all.flat();
}
