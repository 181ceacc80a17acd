import { unavailable } from "./errors.ts";

/** Looks up keys of several callers in common statements. */
export interface GroupLookUp<Key, Value> {
  /**
   * The value of a key, undefined when it is unknown. A key that was known a moment ago goes first.
   *
   * @throws {ApiError} `unavailable` when too many others wait, and whatever `lookUp` throws
   */
  find(key: Key, wasKnown: boolean): Promise<Value | undefined>;
}

export interface GroupLookUpOptions<Key, Value> {
  /** Looks several up in one statement; values in the order of the keys. */
  lookUp: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>;
  /** Names the keys in the error, in the plural. @default "API keys" */
  noun?: string;
  /** Most keys in one statement. @default 500 */
  maxKeys?: number;
  /** Most keys that wait and were not known before; beyond it they are refused. @default 10000 */
  maxWaiting?: number;
  /** How long nothing new is asked after a statement that did not find all. @default 20 */
  pauseMs?: number;
  /** Monotonic, in milliseconds. */
  now?: () => number;
  /** Runs something later. */
  schedule?: (run: () => void, ms: number) => void;
}

interface Waiting<Key, Value> {
  key: Key;
  resolve: (value: Value | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Looks keys up in groups, one statement at a time: while one is under way, further keys gather.
 * Made-up keys cost the database 50 statements a second at most. Keys go in the order they came, so
 * that a flood delays a new key by a few statements and locks none out.
 */
export function createGroupLookUp<Key, Value>(
  options: GroupLookUpOptions<Key, Value>,
): GroupLookUp<Key, Value> {
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
