import { lookup } from "node:dns/promises";
import { BoundedMap } from "../cache/bounded_map.ts";
import type { ResolveHost } from "./addresses.ts";

const defaultTtlMs = 5_000;
const defaultMaxEntries = 1_000;

interface Entry {
  addresses: Promise<string[]>;
  expiresAt: number;
}

/** Resolves a name to all its addresses with the system's resolver. Rejects if that fails. */
export async function resolveSystemHost(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map((entry) => entry.address);
}

/**
 * Caches results for a few seconds, and lets concurrent attempts share one lookup. Failures are
 * not cached. The number of names is bounded; the oldest is dropped first.
 */
export function cacheResolveHost(
  resolve: ResolveHost,
  { ttlMs = defaultTtlMs, maxEntries = defaultMaxEntries, now = Date.now }: {
    ttlMs?: number;
    maxEntries?: number;
    now?: () => number;
  } = {},
): ResolveHost {
  const entries = new BoundedMap<string, Entry>(maxEntries);

  function remember(hostname: string): Promise<string[]> {
    const entry = { addresses: resolve(hostname), expiresAt: now() + ttlMs };
    entries.set(hostname, entry);
    entry.addresses.catch(() => {
      if (entries.get(hostname) === entry) entries.delete(hostname);
    });
    return entry.addresses;
  }

  return (hostname) => {
    const known = entries.get(hostname);
    return known !== undefined && now() < known.expiresAt ? known.addresses : remember(hostname);
  };
}
