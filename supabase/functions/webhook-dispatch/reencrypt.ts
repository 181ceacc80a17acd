import type { Sql } from "../_shared/db/connect.ts";
import {
  countSecrets,
  listKeyIds,
  listStaleSecrets,
  replaceCiphertexts,
  type ReplacedSecret,
  type StoredSecret,
} from "./stored_secrets.ts";
import type { Log } from "../_shared/platform/log.ts";
import type { SecretBox } from "../_shared/secrets/secrets.ts";

/** Encrypts stored secrets under the current key; yields how many after each batch. */
export type Reencrypt = () => AsyncIterable<number>;

const batch = 250;
const firstId = "00000000-0000-0000-0000-000000000000";

/**
 * Makes what finishes a change of `SECRETS_ENCRYPTION_KEY`: secrets under another key are
 * encrypted anew under the current one, those of a key that is gone are counted and left alone.
 * A secret is replaced only where it is still as it was read, so any number of dispatchers may do
 * this at once, be cut off and begin again.
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
    // Once is enough, until it is others.
    if (unreadable > 0 && news !== told) log.error("secrets_unreadable", fields);
    told = news;
  };
}

/** All secrets under these keys, each seen once, whatever becomes of it. */
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

/** Leaves out what does not decrypt: its text is damaged, or is not its owner's. */
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
