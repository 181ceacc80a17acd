/** Remembers values that were looked up, for a limited time. */
export interface LookUpCache<Value> {
  /** The value of a key, from memory where it is there; undefined when it is unknown. */
  get(key: string): Promise<Value | undefined> | Value | undefined;
}

export interface LookUpCacheOptions<Value> {
  /** `wasKnown`: whether the key was known when it was last looked up. */
  lookUp: (key: string, wasKnown: boolean) => Promise<Value | undefined>;
  now: () => Date;
  /** Whether a key can be known at all; one that cannot is not looked up. @default every key */
  isPossible?: (key: string) => boolean;
  /** How long an answer is believed: a change takes effect within it. @default 5000 */
  ttlMs?: number | undefined;
  /** Most known and most unknown keys kept. @default 10000 */
  maxEntries?: number | undefined;
}

interface Cached<Value> {
  value: Value | undefined;
  until: number;
}

/**
 * A bounded memory of look-ups. Unknown keys have a memory of their own, so that a flood of them
 * cannot push known ones out, and keys looked up at once share one look-up.
 */
export function createLookUpCache<Value>(options: LookUpCacheOptions<Value>): LookUpCache<Value> {
  const { lookUp, now, isPossible = () => true, ttlMs = 5_000, maxEntries = 10_000 } = options;
  const known = new Map<string, Cached<Value>>();
  const unknown = new Map<string, Cached<Value>>();
  const underWay = new Map<string, Promise<Value | undefined>>();

  async function lookUpAndKeep(key: string): Promise<Value | undefined> {
    // Counted from before the look-up: what it answers may be that old when it arrives.
    const until = now().getTime() + ttlMs;
    const value = await lookUp(key, known.has(key));
    known.delete(key);
    const map = value === undefined ? unknown : known;
    keepBounded(map, { key, entry: { value, until }, maxEntries });
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
  };
}

function keepBounded<Value>(
  map: Map<string, Cached<Value>>,
  { key, entry, maxEntries }: { key: string; entry: Cached<Value>; maxEntries: number },
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
