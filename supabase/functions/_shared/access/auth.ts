import type { ApiKeyRow } from "./api_keys.ts";
import { ApiError, unauthorized } from "../errors/errors.ts";
import { createGroupLookup } from "../cache/group_lookup.ts";
import { hashApiKey, isApiKey } from "./keys.ts";
import { createLookupCache } from "../cache/lookup_cache.ts";

/** Permissions that a key may have. */
export const scopes = [
  "track:write",
  "customers:read",
  "customers:write",
  "events:read",
  "events:write",
  "destinations:read",
  "destinations:write",
  "deliveries:read",
  "deliveries:write",
  "sources:read",
  "sources:write",
  "templates:read",
  "templates:write",
  "topics:read",
  "topics:write",
  "senders:read",
  "senders:write",
  "sends:read",
  "sends:write",
  "suppressions:read",
  "suppressions:write",
  "segments:read",
  "segments:write",
  "journeys:read",
  "journeys:write",
  "campaigns:read",
  "campaigns:write",
  "alerts:read",
  "alerts:write",
  "views:read",
  "views:write",
] as const;

export type Scope = (typeof scopes)[number];

/** A key that was live at its last lookup, at most `ttlMs` ago. */
export interface ApiKey {
  id: string;
  workspaceId: string;
  scopes: ReadonlySet<string>;
  expiresAt: Date | null;
  /** True if the workspace stores the addresses that browsers call from. */
  fillsBrowserIp: boolean;
  /** The cell to which the workspace has moved, where the key must be looked up. */
  movedTo?: string | undefined;
}

/** Authenticates keys, from memory where possible. */
export interface Keyring {
  /**
   * Returns the live key; throws `unauthorized` if it is malformed, unknown, expired or revoked.
   */
  authenticate(key: string): Promise<ApiKey>;
  /** Forgets what is cached about a key. */
  forget(key: string): void;
}

export interface KeyringOptions {
  /** Looks up keys by their SHA-256 hashes; rows in the same order. */
  lookUp: (hashes: readonly Uint8Array[]) => Promise<readonly (ApiKeyRow | undefined)[]>;
  now: () => Date;
  /** Longest use of a cached result: a revocation takes effect within this time. @default 5000 */
  ttlMs?: number;
  /** Most known and most unknown keys cached. @default 10000 */
  maxEntries?: number;
}

/** Creates a keyring with a `LookupCache` that looks up unknown keys in groups. */
export function createKeyring(options: KeyringOptions): Keyring {
  const { lookUp, now, ttlMs, maxEntries } = options;
  const group = createGroupLookup({ lookUp });
  const keys = createLookupCache<ApiKey>({
    now,
    ttlMs,
    maxEntries,
    isPossible: isApiKey,
    async lookUp(key, wasKnown) {
      const row = await group.find(await hashApiKey(key), wasKnown);
      return row && { ...row, scopes: new Set(row.scopes) };
    },
  });
  return {
    async authenticate(key) {
      const found = await keys.get(key);
      if (found === undefined) {
        throw unauthorized("API key is malformed, unknown, expired or revoked");
      }
      if (found.expiresAt !== null && found.expiresAt.getTime() <= now().getTime()) {
        throw unauthorized("API key is expired");
      }
      return found;
    },
    forget: (key) => keys.forget(key),
  };
}

/** Returns the token of an `Authorization: Bearer …` header; throws `unauthorized` without one. */
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

/**
 * Returns user name and password of an `Authorization: Basic …` header; throws `unauthorized`
 * without.
 */
export function readBasic(header: string): { username: string; password: string } {
  const match = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header);
  const text = match?.[1] === undefined ? "" : decodeBase64(match[1]);
  const colon = text.indexOf(":");
  if (colon < 0) {
    throw unauthorized('Authorization header is malformed: send "Basic <base64 of key and colon>"');
  }
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}

/** Throws `insufficient_scope` unless the key has `scope`. */
export function requireScope(key: ApiKey, scope: Scope): void {
  if (key.scopes.has(scope)) return;
  throw new ApiError("insufficient_scope", `API key lacks the scope "${scope}"`);
}

/**
 * Returns the error for a key of another workspace than the one that `X-Workspace-Id` names;
 * undefined if they match.
 */
export function otherWorkspace(
  { workspaceId }: ApiKey,
  named: string | undefined,
): ApiError | undefined {
  // A key mixed up with another workspace's must not change the wrong workspace.
  return named === undefined || named.toLowerCase() === workspaceId ? undefined : noSuchWorkspace();
}

/** A 404 for a workspace that does not exist or that the caller does not belong to. */
export function noSuchWorkspace(): ApiError {
  return new ApiError("not_found", "Workspace does not exist");
}
