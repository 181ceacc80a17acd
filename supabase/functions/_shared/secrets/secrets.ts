import { Buffer } from "node:buffer";

const formatVersion = "v1";
const keyBytes = 32;
const nonceBytes = 12;
const keyIdLength = 8;

/**
 * Owner of a secret. A secret that was encrypted for one owner cannot be decrypted for another.
 */
export interface SecretOwner {
  /** One of private.secret_owners, or "request" for a kept response. */
  kind: string;
  workspaceId: string;
  id: string;
}

/** Encrypts and decrypts secrets at rest; created once, from the configuration. */
export interface SecretBox {
  /** Ids of the keys; the first one encrypts. */
  keyIds: readonly [string, ...string[]];
  /** Encrypts with the first key: `v1.<key id>.<base64url of nonce, ciphertext and tag>`. */
  encrypt(owner: SecretOwner, secret: string): Promise<string>;
  /** @throws SecretError if the text is malformed, its key is missing, or the owner differs */
  decrypt(owner: SecretOwner, encrypted: string): Promise<string>;
  /**
   * Encrypts a secret again with the first key, so that its old key can be retired; throws like
   * `decrypt`.
   */
  reencrypt(owner: SecretOwner, encrypted: string): Promise<string>;
}

/** Names what failed; never contains a key, a secret or a ciphertext. */
export class SecretError extends Error {
  override name = "SecretError";
}

interface EncryptionKey {
  id: string;
  key: CryptoKey;
}

/**
 * Creates a box from `SECRETS_ENCRYPTION_KEY`: one or more keys of 32 bytes in base64, separated by
 * commas (`openssl rand -base64 32`). The first key encrypts, all keys decrypt, so a new key is
 * added in front. A key's id is the start of its SHA-256, so the order is free. Uses AES-256-GCM
 * and authenticates the key's id and the owner, so that a secret copied to another row does not
 * decrypt.
 *
 * @throws SecretError naming the position of an invalid key
 */
export async function createSecretBox(keys: string): Promise<SecretBox> {
  const [first = "", ...others] = keys.split(",");
  const current = await importKey(first, 0);
  const byId = new Map([[current.id, current]]);
  for (const [index, text] of others.entries()) {
    const key = await importKey(text, index + 1);
    // A repeated key means that a rotation was intended but did not happen.
    if (byId.has(key.id)) {
      throw new SecretError(
        `Cannot read key ${index + 2} of SECRETS_ENCRYPTION_KEY: it is listed twice`,
      );
    }
    byId.set(key.id, key);
  }
  return {
    keyIds: [current.id, ...[...byId.keys()].slice(1)],
    encrypt: (owner, secret) => encrypt(current, owner, Buffer.from(secret)),
    decrypt: async (owner, encrypted) =>
      new TextDecoder().decode(await decrypt(byId, owner, encrypted)),
    reencrypt: async (owner, encrypted) =>
      await encrypt(current, owner, await decrypt(byId, owner, encrypted)),
  };
}

async function importKey(text: string, index: number): Promise<EncryptionKey> {
  const bytes = Buffer.from(text.trim(), "base64");
  if (bytes.length !== keyBytes) {
    throw new SecretError(
      `Cannot read key ${index + 1} of SECRETS_ENCRYPTION_KEY: expected ${keyBytes} bytes in ` +
        `base64, got ${bytes.length} bytes`,
    );
  }
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes));
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { id: digest.toString("hex").slice(0, keyIdLength), key };
}

async function encrypt(
  { id, key }: EncryptionKey,
  owner: SecretOwner,
  secret: BufferSource,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const ciphertext = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: bindOwner(id, owner) },
    key,
    secret,
  );
  const payload = Buffer.concat([iv, Buffer.from(ciphertext)]).toString("base64url");
  return `${formatVersion}.${id}.${payload}`;
}

async function decrypt(
  keys: ReadonlyMap<string, EncryptionKey>,
  owner: SecretOwner,
  encrypted: string,
): Promise<ArrayBuffer> {
  const action = `Cannot decrypt the secret of ${owner.kind} "${owner.id}"`;
  const [version, keyId, payload, ...rest] = encrypted.split(".");
  if (
    version !== formatVersion || keyId === undefined || payload === undefined || rest.length > 0
  ) {
    throw new SecretError(`${action}: unknown format`);
  }
  const entry = keys.get(keyId);
  if (entry === undefined) {
    throw new SecretError(`${action}: SECRETS_ENCRYPTION_KEY has no key "${keyId}"`);
  }
  const bytes = Buffer.from(payload, "base64url");
  const iv = bytes.subarray(0, nonceBytes);
  try {
    return await crypto.subtle.decrypt(
      { name: "AES-GCM", iv, additionalData: bindOwner(keyId, owner) },
      entry.key,
      bytes.subarray(nonceBytes),
    );
  } catch {
    throw new SecretError(`${action}: the text is damaged or belongs to another owner`);
  }
}

function bindOwner(keyId: string, owner: SecretOwner): Uint8Array<ArrayBuffer> {
  const { kind, workspaceId, id } = owner;
  return Uint8Array.from(Buffer.from(`${formatVersion}.${keyId}.${kind}.${workspaceId}.${id}`));
}
