import { BoundedMap } from "./bounded_map.ts";

/** Remembers values that were looked up, for a limited time. */
export interface LookupCache<Value> {
  /** Returns the value of a key, from memory if cached; undefined if the key is unknown. */
  get(key: string): Promise<Value | undefined> | Value | undefined;
  /** Forgets the result of a key, and of a look-up of it that is still running. */
  forget(key: string): void;
}

export interface LookupCacheOptions<Value> {
  /** `wasKnown`: true if the key was known at its last lookup. */
  lookUp: (key: string, wasKnown: boolean) => Promise<Value | undefined>;
  now: () => Date;
  /** Returns false for keys that cannot exist, which are not looked up. @default every key can */
  isPossible?: (key: string) => boolean;
  /**
   * Longest use of a cached result in milliseconds: a change takes effect within it. @default 5000
   */
  ttlMs?: number | undefined;
  /** Most known and most unknown keys cached. @default 10000 */
  maxEntries?: number | undefined;
}

interface Cached<Value> {
  value: Value | undefined;
  until: number;
}

/**
 * Creates a bounded cache of lookups. Unknown keys have a cache of their own, so that a flood of
 * them cannot evict known keys. Concurrent lookups of a key share one call.
 */
export function createLookupCache<Value>(options: LookupCacheOptions<Value>): LookupCache<Value> {
  const { lookUp, now, isPossible = () => true, ttlMs = 5_000, maxEntries = 10_000 } = options;
  const known = new BoundedMap<string, Cached<Value>>(maxEntries);
  const unknown = new BoundedMap<string, Cached<Value>>(maxEntries);
  const underWay = new Map<string, Promise<Value | undefined>>();
  let forgotten = 0;

  async function lookUpAndKeep(key: string): Promise<Value | undefined> {
    // Counted from before the lookup: its result may be that old when it arrives.
    const until = now().getTime() + ttlMs;
    const started = forgotten;
    const value = await lookUp(key, known.has(key));
    if (started !== forgotten) return value;
    known.delete(key);
    (value === undefined ? unknown : known).set(key, { value, until });
    return value;
  }

  return {
    get(key) {
      const cached = known.get(key) ?? unknown.get(key);
      if (cached !== undefined && now().getTime() < cached.until) return cached.value;
      if (!isPossible(key)) return undefined;
      let pending = underWay.get(key);
      if (pending === undefined) {
        pending = lookUpAndKeep(key).finally(() => underWay.delete(key));
        underWay.set(key, pending);
      }
      return pending;
    },
    forget(key) {
      forgotten++;
      known.delete(key);
      unknown.delete(key);
      underWay.delete(key);
    },
  };
}
