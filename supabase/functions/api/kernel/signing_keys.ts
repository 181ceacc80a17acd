import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

export interface SigningKeysOptions {
  /** Where Supabase Auth publishes its keys. */
  url: string;
  /** `{ keys }` as JSON, to begin with; without it the first token waits for the published ones. */
  jwks?: string | undefined;
  now: () => Date;
}

/** Keys are believed for so long. Those that were revoked since then are gone from the next set. */
const believedMs = 10 * 60_000;
/** After a failure, the known keys go on, and Auth is asked again after this. */
const retryMs = 30_000;
const fetchTimeoutMs = 5_000;
/** Key ids that nobody has published lead to so many fetches at once, and then to one every 10 s. */
const unknownBurst = 5;
const unknownEveryMs = 10_000;

/**
 * Finds the key that a token is signed with. Throws jose's `JWKSNoMatchingKey` for a key that is
 * not published, and the failed fetch's own error while no keys are known at all.
 */
export function createKeyFinder({ url, jwks, now }: SigningKeysOptions): JWTVerifyGetKey {
  let keys = jwks === undefined ? null : createLocalJWKSet(JSON.parse(jwks));
  let askAgainAt = now().getTime() + (keys === null ? 0 : believedMs);
  let fetching: Promise<void> | null = null;
  const mayAskForUnknown = createBudget(now);

  async function fetchKeys(): Promise<void> {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(fetchTimeoutMs) });
      if (!response.ok) throw new Error(`Supabase Auth answered ${response.status} for its keys`);
      keys = createLocalJWKSet(await response.json() as JSONWebKeySet);
      askAgainAt = now().getTime() + believedMs;
    } catch (error) {
      askAgainAt = now().getTime() + retryMs;
      if (keys === null) throw error;
    }
  }
  /** Calls that come meanwhile share one fetch. */
  const refresh = () => fetching ??= fetchKeys().finally(() => fetching = null);

  return async (header, token) => {
    if (keys === null || now().getTime() >= askAgainAt) await refresh();
    try {
      return await keys!(header, token);
    } catch (error) {
      // A key that was made since the last fetch, or a forgery.
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
