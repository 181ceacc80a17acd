import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

export interface SigningKeysOptions {
  /** URL where Supabase Auth publishes its keys. */
  url: string;
  /** Initial `{ keys }` as JSON; without it, the first token waits for the published keys. */
  jwks?: string | undefined;
  now: () => Date;
}

/** Time for which fetched keys are used. The next set no longer contains revoked keys. */
const believedMs = 10 * 60_000;
/** Delay before the next fetch after a failure; the known keys stay in use. */
const retryMs = 30_000;
const fetchTimeoutMs = 5_000;
/** Fetches that unknown key ids may cause at once; after that, one per 10 s. */
const unknownBurst = 5;
const unknownEveryMs = 10_000;

/**
 * Finds the key that signed a token. Throws jose's `JWKSNoMatchingKey` for an unpublished key, and
 * the error of the failed fetch while no keys are known.
 */
export function createKeyFinder({ url, jwks, now }: SigningKeysOptions): JWTVerifyGetKey {
  let keys = jwks === undefined ? null : createLocalJWKSet(JSON.parse(jwks));
  let askAgainAt = now().getTime() + (keys === null ? 0 : believedMs);
  let fetching: Promise<void> | null = null;
  const mayAskForUnknown = createBudget(now);

  async function fetchKeys(): Promise<void> {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(fetchTimeoutMs) });
      if (!response.ok) {
        throw new Error(`Cannot fetch keys: Supabase Auth responded with ${response.status}`);
      }
      keys = createLocalJWKSet(await response.json() as JSONWebKeySet);
      askAgainAt = now().getTime() + believedMs;
    } catch (error) {
      askAgainAt = now().getTime() + retryMs;
      if (keys === null) throw error;
    }
  }
  /** Concurrent calls share one fetch. */
  const refresh = () => fetching ??= fetchKeys().finally(() => fetching = null);

  return async (header, token) => {
    if (keys === null || now().getTime() >= askAgainAt) await refresh();
    try {
      return await keys!(header, token);
    } catch (error) {
      // The key is newer than the last fetch, or forged.
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayAskForUnknown()) throw error;
      await refresh();
      return await keys!(header, token);
    }
  };
}

function createBudget(now: () => Date): () => boolean {
  let left = unknownBurst;
  let at = now().getTime();
  return () => {
    const time = now().getTime();
    left = Math.min(unknownBurst, left + (time - at) / unknownEveryMs);
    at = time;
    if (left < 1) return false;
    left--;
    return true;
  };
}
