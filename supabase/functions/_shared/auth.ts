import type { ApiKeyRow } from "./db/api_keys.ts";
import { ApiError } from "./errors.ts";
import { hashApiKey, isApiKey } from "./keys.ts";

export type Scope =
  | "track:write"
  | "customers:read"
  | "customers:write"
  | "events:read"
  | "destinations:read"
  | "destinations:write"
  | "deliveries:read"
  | "deliveries:write"
  | "sources:read"
  | "sources:write";

/** A key that was live when it was looked up, at most `ttlMs` ago. */
export interface ApiKey {
  id: string;
  workspaceId: string;
  scopes: ReadonlySet<string>;
  expiresAt: Date | null;
}

/** Answers who a key belongs to, from memory where it can. */
export interface Keyring {
  /** The live key; throws `unauthorized` when it is malformed, unknown, expired or revoked. */
  authenticate(key: string): Promise<ApiKey>;
}

export interface KeyringOptions {
  /** Looks a key up by its SHA-256. */
  lookUp: (hash: Uint8Array) => Promise<ApiKeyRow | undefined>;
  now: () => Date;
  /** How long an answer is believed: a revocation takes effect within it. @default 10000 */
  ttlMs?: number;
  /** Most known and most unknown keys kept. @default 10000 */
  maxEntries?: number;
}

interface CachedKey {
  key: ApiKey | undefined;
  until: number;
}

/**
 * A keyring with a bounded memory. Unknown keys have a memory of their own, so that a flood of
 * them cannot push known keys out, and keys looked up at once share one look-up.
 */
export function createKeyring(options: KeyringOptions): Keyring {
  const { lookUp, now, ttlMs = 10_000, maxEntries = 10_000 } = options;
  const known = new Map<string, CachedKey>();
  const unknown = new Map<string, CachedKey>();
  const underWay = new Map<string, Promise<ApiKey | undefined>>();

  async function lookUpAndKeep(key: string): Promise<ApiKey | undefined> {
    // Counted from before the look-up: what it answers may be that old when it arrives.
    const until = now().getTime() + ttlMs;
    const row = await lookUp(await hashApiKey(key));
    const found = row && { ...row, scopes: new Set(row.scopes) };
    known.delete(key);
    keepBounded(found ? known : unknown, { key, entry: { key: found, until }, maxEntries });
    return found;
  }

  function findKey(key: string, at: number): Promise<ApiKey | undefined> | ApiKey | undefined {
    const cached = known.get(key) ?? unknown.get(key);
    if (cached !== undefined && at < cached.until) return cached.key;
    if (!isApiKey(key)) return undefined;
    let pending = underWay.get(key);
    if (pending === undefined) {
      pending = lookUpAndKeep(key).finally(() => underWay.delete(key));
      underWay.set(key, pending);
    }
    return pending;
  }

  return {
    async authenticate(key) {
      const at = now().getTime();
      const found = await findKey(key, at);
      if (found === undefined) throw unauthorized("API key is malformed, unknown or revoked");
      if (found.expiresAt !== null && found.expiresAt.getTime() <= at) {
        throw unauthorized("API key is expired");
      }
      return found;
    },
  };
}

function keepBounded(
  map: Map<string, CachedKey>,
  { key, entry, maxEntries }: { key: string; entry: CachedKey; maxEntries: number },
): void {
  map.delete(key);
  map.set(key, entry);
  if (map.size <= maxEntries) return;
  // A Map keeps the order of insertion: the first key is the oldest.
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

/** The token of an `Authorization: Bearer …` header; throws `unauthorized` without one. */
export function readBearer(header: string | undefined): string {
  if (header === undefined) {
    throw unauthorized('Authorization header is missing: send "Bearer <api key>"');
  }
  const match = /^Bearer +(\S+)$/i.exec(header);
  if (match?.[1] === undefined) {
    throw unauthorized('Authorization header is malformed: send "Bearer <api key>"');
  }
  return match[1];
}

/** Throws `insufficient_scope` unless the key carries `scope`. */
export function requireScope(key: ApiKey, scope: Scope): void {
  if (key.scopes.has(scope)) return;
  throw new ApiError("insufficient_scope", `API key lacks the scope "${scope}"`);
}

/** A 401 with the challenge that HTTP asks for. */
export function unauthorized(message: string): ApiError {
  return new ApiError("unauthorized", message, { headers: { "WWW-Authenticate": "Bearer" } });
}
