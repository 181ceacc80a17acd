/**
 * Engine for claimed work. A worker claims due items under a lease, runs them in lanes, and records
 * their results in batches. It knows nothing about the items: a `Work` describes them.
 */
export interface Work<Item, Result> {
  /** Log message for a claim that failed. */
  failedEvent: string;
  /** Claims due items under a lease that outlasts `maxWaitMs`, one run and its record. */
  claim(request: ClaimRequest): Promise<readonly Item[]>;
  /** Runs one item. Never rejects; `signal` aborts when the run must end. */
  run(item: Item, signal: AbortSignal): Promise<Result>;
  /** Returns the result of an item that goes back to the database without being run. */
  giveBack(item: Item): Result;
  /** Records results in one statement, in order. Must allow the same ones twice. */
  record(results: readonly Result[]): Promise<unknown>;
  /**
   * Returns what is left of a result whose data the database rejected, undefined when nothing is
   * left to try. @default nothing is left
   */
  simplify?(result: Result): Result | undefined;
  /** Names the item's lane. */
  laneOf(item: Item): string;
  /** Returns how many items of the item's lane may run at once. */
  concurrencyOf(item: Item): number;
  /**
   * Returns true if the result shows that its lane fails, so that its waiting items are released.
   */
  isLaneFailing(result: Result): boolean;
  /** Makes items due again whose lease ran out. */
  expireClaims(): Promise<unknown>;
  /** Milliseconds until an item is due, 0 or less when one is due now, null when none is known. */
  findNextWork(): Promise<number | null>;
  /** Tells the database that this run looks for work for `ms`, so that no other worker is woken. */
  watch(ms: number): Promise<unknown>;
  /** Wakes another worker if an item is due now. */
  passOn(): Promise<unknown>;
  /** Work besides the items. @default none */
  tasks?: readonly Task[];
}

/** Most items to claim, and which. */
export interface ClaimRequest {
  limit: number;
  /** Leaves out lanes whose last item failed. */
  isOnlyProven: boolean;
}

/** Work that a run does in the background, step by step, while it claims items. */
export interface Task {
  /** Log message for a failure. */
  failedEvent: string;
  /** Starts once per run instead of at every turn. @default false */
  isOncePerRun?: boolean;
  /** Works until nothing is left or the run is spent. Never starts while already running. */
  work(run: TaskRun): Promise<void>;
}

/** State of a run that its tasks see and change. */
export interface TaskRun {
  /** Returns true if the run must take no more work. */
  isSpent(): boolean;
  /** Records that there was work, which keeps the run going for another `lingerMs`. */
  noteWork(): void;
  /** Counts work against `maxItems`. */
  spend(items: number): void;
}

/** Limits of one run, for a platform that limits the time and work of a request. */
export interface RunLimits {
  /** A run takes no more work after this. @default 100,000 */
  maxRunMs: number;
  /** Items that a run claims, and work of tasks that count theirs. @default Infinity */
  maxItems: number;
  /** Items claimed at once, waiting or running. @default 2,000 */
  maxHeld: number;
  /** Time for which an idle run continues to look for work. @default 5,000 */
  lingerMs: number;
  /** An idle run waits for an item that is due within this time. @default 15,000 */
  horizonMs: number;
}

export const defaultRunLimits: RunLimits = {
  maxRunMs: 100_000,
  maxItems: Infinity,
  maxHeld: 2_000,
  lingerMs: 5_000,
  horizonMs: 15_000,
};
