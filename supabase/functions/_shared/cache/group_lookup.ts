import { unavailable } from "../errors/errors.ts";

/** Looks up keys of several callers in common statements. */
export interface GroupLookup<Key, Value> {
  /**
   * Returns the value of a key, undefined if unknown. Recently known keys go first.
   *
   * @throws {ApiError} `unavailable` if too many others wait, and any error of `lookUp`
   */
  find(key: Key, wasKnown: boolean): Promise<Value | undefined>;
}

export interface GroupLookupOptions<Key, Value> {
  /** Looks up several keys in one statement; values in the order of the keys. */
  lookUp: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>;
  /** Names the keys in the error, in the plural. @default "API keys" */
  noun?: string;
  /** Most keys per statement. @default 500 */
  maxKeys?: number;
  /** Most waiting keys that were not known before; more are refused. @default 10000 */
  maxWaiting?: number;
  /** Pause after a statement that did not find all keys, in milliseconds. @default 20 */
  pauseMs?: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** Runs a function later. */
  schedule?: (run: () => void, ms: number) => void;
}

interface Waiting<Key, Value> {
  key: Key;
  resolve: (value: Value | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Looks up keys in groups, one statement at a time: keys that arrive during a statement form the
 * next group. Invented keys cost the database at most 50 statements per second. Keys keep their
 * order, so a flood delays a new key by a few statements but never locks it out.
 */
export function createGroupLookup<Key, Value>(
  options: GroupLookupOptions<Key, Value>,
): GroupLookup<Key, Value> {
  const { noun = "API keys", maxKeys = 500, maxWaiting = 10_000, pauseMs = 20 } = options;
  const { now = () => performance.now(), schedule = setTimeout } = options;
  const renewed: Waiting<Key, Value>[] = [];
  const fresh: Waiting<Key, Value>[] = [];
  let isAsking = false;
  let isScheduled = false;
  let pausedUntil = -Infinity;

  async function ask(group: readonly Waiting<Key, Value>[]): Promise<void> {
    try {
      const values = await options.lookUp(group.map(({ key }) => key));
      if (values.includes(undefined)) pausedUntil = now() + pauseMs;
      group.forEach(({ resolve }, i) => resolve(values[i]));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  function startLater(ms: number): void {
    if (isScheduled) return;
    isScheduled = true;
    schedule(() => {
      isScheduled = false;
      start();
    }, ms);
  }

  function start(): void {
    if (isAsking || renewed.length + fresh.length === 0) return;
    const pause = pausedUntil - now();
    if (renewed.length === 0 && pause > 0) return startLater(pause);
    const group = renewed.splice(0, maxKeys);
    group.push(...fresh.splice(0, maxKeys - group.length));
    isAsking = true;
    void ask(group).then(() => {
      isAsking = false;
      start();
    });
  }

  return {
    find(key, wasKnown) {
      if (!wasKnown && fresh.length >= maxWaiting) {
        return Promise.reject(unavailable(`Too many unknown ${noun} are waiting to be looked up`));
      }
      return new Promise((resolve, reject) => {
        (wasKnown ? renewed : fresh).push({ key, resolve, reject });
        start();
      });
    },
  };
}
