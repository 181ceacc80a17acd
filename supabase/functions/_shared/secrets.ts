import { Buffer } from "node:buffer";

const VERSION = "v1";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const KEY_ID_LENGTH = 8;

/** Encrypts and decrypts secrets at rest. Made once, from the configuration. */
export interface SecretBox {
  /** Encrypts under the first key: `v1.<key id>.<base64url of nonce, ciphertext and tag>`. */
  encrypt(ownerId: string, secret: string): Promise<string>;
  /** @throws SecretError when the text is malformed, its key is gone, or the owner differs. */
  decrypt(ownerId: string, encrypted: string): Promise<string>;
  /** Whether the text is under the first key; where not, encrypt it anew to retire its key. */
  isCurrent(encrypted: string): boolean;
}

/** Says what failed and never holds a key, a secret or a ciphertext. */
export class SecretError extends Error {
  override name = "SecretError";
}

interface EncryptionKey {
  id: string;
  key: CryptoKey;
}

/**
 * Makes a box from `SECRETS_ENCRYPTION_KEY`: one or more keys of 32 bytes in base64, separated
 * by commas (`openssl rand -base64 32`). The first encrypts, all decrypt, so a key is changed by
 * putting a new one in front. A key's id is the start of its SHA-256, hence the order is free.
 * AES-256-GCM; the owner's id is authenticated with the text, so that a row's secret copied to
 * another row does not decrypt.
 * @throws SecretError naming the position of a bad key.
 */
export async function createSecretBox(keys: string): Promise<SecretBox> {
  const imported = await Promise.all(keys.split(",").map(importKey));
  const byId = new Map(imported.map((entry) => [entry.id, entry.key]));
  const current = imported[0] as EncryptionKey;
  return {
    encrypt: (ownerId, secret) => encrypt(current, ownerId, secret),
    decrypt: (ownerId, encrypted) => decrypt(byId, ownerId, encrypted),
    isCurrent: (encrypted) => encrypted.startsWith(`${VERSION}.${current.id}.`),
  };
}

async function importKey(text: string, index: number): Promise<EncryptionKey> {
  const bytes = Buffer.from(text.trim(), "base64");
  if (bytes.length !== KEY_BYTES) {
    throw new SecretError(
      `Cannot read key ${index + 1} of SECRETS_ENCRYPTION_KEY: expected ${KEY_BYTES} bytes in ` +
        `base64, got ${bytes.length} bytes`,
    );
  }
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes));
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { id: digest.toString("hex").slice(0, KEY_ID_LENGTH), key };
}

async function encrypt(current: EncryptionKey, ownerId: string, secret: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const ciphertext = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: bindOwner(current.id, ownerId) },
    current.key,
    Buffer.from(secret),
  );
  const payload = Buffer.concat([iv, Buffer.from(ciphertext)]).toString("base64url");
  return `${VERSION}.${current.id}.${payload}`;
}

async function decrypt(
  keys: ReadonlyMap<string, CryptoKey>,
  ownerId: string,
  encrypted: string,
): Promise<string> {
  const [version, keyId, payload, ...rest] = encrypted.split(".");
  if (version !== VERSION || keyId === undefined || payload === undefined || rest.length > 0) {
    throw new SecretError(`Cannot decrypt the secret of "${ownerId}": unknown format`);
  }
  const key = keys.get(keyId);
  if (key === undefined) {
    throw new SecretError(
      `Cannot decrypt the secret of "${ownerId}": SECRETS_ENCRYPTION_KEY has no key "${keyId}"`,
    );
  }
  const bytes = Buffer.from(payload, "base64url");
  try {
    const plain = await crypto.subtle.decrypt(
      {
        name: "AES-GCM",
        iv: bytes.subarray(0, NONCE_BYTES),
        additionalData: bindOwner(keyId, ownerId),
      },
      key,
      bytes.subarray(NONCE_BYTES),
    );
    return new TextDecoder().decode(plain);
  } catch {
    throw new SecretError(
      `Cannot decrypt the secret of "${ownerId}": the text is damaged or belongs to another owner`,
    );
  }
}

function bindOwner(keyId: string, ownerId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(`${VERSION}.${keyId}.${ownerId}`));
}
