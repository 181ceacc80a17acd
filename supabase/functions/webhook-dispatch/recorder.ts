import type { AttemptResult } from "./dispatch_queue.ts";
import { databaseErrorCode } from "../_shared/db/errors.ts";
import { errorFields, type Log } from "../_shared/platform/log.ts";

/** Writes results down, many in one statement, and as often as it takes. */
export interface Recorder {
  add(result: AttemptResult): void;
  /** Everything added so far is recorded, or was given up. */
  readonly isIdle: boolean;
  /** The last statement failed, and was not repeated with success so far. */
  readonly isBehind: boolean;
  /** Resolves when everything added so far is recorded, or was given up. */
  drain(): Promise<void>;
  /** From now on a failure gives up instead of trying again: the leases will run out. */
  giveUp(): void;
}

const maxBatch = 1_000;
const minIntervalMs = 20;
const minRetryMs = 100;
const maxRetryMs = 5_000;

/**
 * While one statement is under way the next results gather. A statement that fails is repeated:
 * what was sent is never sent again because its log could not be written.
 */
export function createRecorder(
  { record, log }: {
    record: (results: readonly AttemptResult[]) => Promise<unknown>;
    log: Log;
  },
): Recorder {
  let pending: AttemptResult[] = [];
  let writing: Promise<void> | null = null;
  let isGivingUp = false;
  let isBehind = false;

  async function writeAll(): Promise<void> {
    while (pending.length > 0) {
      const startedAt = performance.now();
      const batch = pending.slice(0, maxBatch);
      pending = pending.slice(maxBatch);
      await write(batch);
      const restMs = minIntervalMs - (performance.now() - startedAt);
      if (pending.length < maxBatch) await pause(restMs);
    }
    writing = null;
  }

  async function write(batch: readonly AttemptResult[]): Promise<void> {
    for (let retryMs = minRetryMs;; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
      try {
        await record(batch);
        isBehind = false;
        return;
      } catch (error) {
        isBehind = true;
        log.error("record_failed", { results: batch.length, ...errorFields(error) });
        if (isGivingUp) return;
        if (isRefused(error)) return await writeApart(batch);
        await pause(retryMs);
      }
    }
  }

  /** One result that the database refuses must not take the others with it. */
  async function writeApart(batch: readonly AttemptResult[]): Promise<void> {
    const [first] = batch;
    if (batch.length === 1 && first) {
      // What remains without the receiver's text is all our own, and has a form.
      if (first.response_snippet !== null) await write([{ ...first, response_snippet: null }]);
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

/** Data that the database will not take, however often it is told (SQLSTATE classes 22 and 23). */
function isRefused(error: unknown): boolean {
  return /^2[23]/.test(databaseErrorCode(error) ?? "");
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
