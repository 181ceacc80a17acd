import { databaseErrorCode } from "../db/errors.ts";
import { errorFields, type Log } from "../log/log.ts";
import { pause, type WorkClock } from "./clock.ts";

/** Records results, many in one statement, and repeats statements that fail. */
export interface Recorder<Result> {
  add(result: Result): void;
  /** Everything added so far is recorded, or was given up. */
  readonly isIdle: boolean;
  /** The last statement failed, and has not succeeded since. */
  readonly isBehind: boolean;
  /** Resolves when everything added so far is recorded, or was given up. */
  drain(): Promise<void>;
  /** Stops repeating statements that fail: the leases will run out. */
  giveUp(): void;
}

export interface RecorderOptions<Result> {
  /** Records a batch in one statement; must allow the same results twice. */
  record(results: readonly Result[]): Promise<unknown>;
  /** Returns what is left of a rejected result; undefined when nothing is left to try. */
  simplify?: ((result: Result) => Result | undefined) | undefined;
  clock: WorkClock;
  log: Log;
}

const maxBatch = 1_000;
const minIntervalMs = 20;
const minRetryMs = 100;
const maxRetryMs = 5_000;

/**
 * Creates a recorder. Results that arrive during a statement go with the next one. A failed
 * statement is repeated: an item never runs twice because its result could not be recorded.
 */
export function createRecorder<Result>(
  { record, simplify, clock, log }: RecorderOptions<Result>,
): Recorder<Result> {
  let pending: Result[] = [];
  let writing: Promise<void> | null = null;
  let isGivingUp = false;
  let isBehind = false;

  async function writeAll(): Promise<void> {
    while (pending.length > 0) {
      const startedAt = clock.now();
      const batch = pending.slice(0, maxBatch);
      pending = pending.slice(maxBatch);
      await write(batch);
      const restMs = minIntervalMs - (clock.now() - startedAt);
      if (pending.length < maxBatch) await pause(clock, restMs);
    }
    writing = null;
  }

  async function write(batch: readonly Result[]): Promise<void> {
    for (let retryMs = minRetryMs;; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
      try {
        await record(batch);
        isBehind = false;
        return;
      } catch (error) {
        isBehind = true;
        log.error("record_failed", { results: batch.length, ...errorFields(error) });
        if (isGivingUp) return;
        if (isRejected(error)) return await writeApart(batch);
        await pause(clock, retryMs);
      }
    }
  }

  /** Records each half separately: one rejected result must not affect the others. */
  async function writeApart(batch: readonly Result[]): Promise<void> {
    const [first] = batch;
    if (batch.length === 1 && first !== undefined) {
      const simpler = simplify?.(first);
      if (simpler !== undefined) await write([simpler]);
      isBehind = false;
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await write(batch.slice(0, middle));
    await write(batch.slice(middle));
  }

  return {
    get isIdle() {
      return writing === null;
    },
    get isBehind() {
      return isBehind;
    },
    add(result) {
      pending.push(result);
      writing ??= Promise.resolve().then(writeAll);
    },
    drain: async () => {
      while (writing !== null) await writing;
    },
    giveUp: () => {
      isGivingUp = true;
    },
  };
}

/** Returns true if the database will never accept the data (SQLSTATE classes 22 and 23). */
function isRejected(error: unknown): boolean {
  return /^2[23]/.test(databaseErrorCode(error) ?? "");
}
