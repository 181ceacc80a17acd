import { isOutcomeUnknown, isRetryable, isUnavailable } from "./db/errors.ts";
import type { IngestResult } from "./db/ingest.ts";
import { ApiError, unavailable } from "./errors.ts";

export interface Batcher {
  /**
   * Stores the entries of one request, in their order; resolves after they are committed.
   *
   * @throws {ApiError} `unavailable` when too much is waiting, and whatever `store` throws
   */
  add(entries: readonly string[]): Promise<IngestResult[]>;
}

export interface BatcherOptions {
  /** Stores entries (JSON texts) in one transaction; results in order. */
  store: (entries: readonly string[]) => Promise<IngestResult[]>;
  /** Most calls under way at once. */
  concurrency?: number;
  /** With this many entries waiting, a call need not wait for the one under way. */
  fullBatch?: number;
  /** Most entries in one call, unless one request has more. */
  maxEntries?: number;
  /** Most characters in one call, unless one request has more. */
  maxCharacters?: number;
  /** Most entries waiting; beyond it requests are refused. */
  maxWaiting?: number;
}

interface Request {
  entries: readonly string[];
  characters: number;
  resolve: (results: IngestResult[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: while a call is under way, what arrives gathers and goes with the next one. There
 * is no timer, so an idle service adds no delay. When a call fails for what it holds, its requests
 * are stored one by one, so that nobody pays for another's entry.
 */
export function createBatcher(options: BatcherOptions): Batcher {
  const { store, concurrency = 2, fullBatch = 250 } = options;
  const { maxEntries = 1000, maxCharacters = 4_000_000, maxWaiting = 20_000 } = options;
  const queue: Request[] = [];
  let queued = 0;
  let underWay = 0;
  let entriesUnderWay = 0;

  function takeBatch(): Request[] {
    let entries = 0;
    let characters = 0;
    let count = 0;
    for (const request of queue) {
      entries += request.entries.length;
      characters += request.characters;
      if (count > 0 && (entries > maxEntries || characters > maxCharacters)) break;
      count++;
    }
    return queue.splice(0, count);
  }

  function startCalls(): void {
    while (queued > 0 && (underWay === 0 || (underWay < concurrency && queued >= fullBatch))) {
      const batch = takeBatch();
      const entries = countEntries(batch);
      queued -= entries;
      entriesUnderWay += entries;
      underWay++;
      void storeBatch(batch, store).finally(() => {
        entriesUnderWay -= entries;
        underWay--;
        startCalls();
      });
    }
  }

  return {
    add(entries) {
      return new Promise((resolve, reject) => {
        if (queued + entriesUnderWay + entries.length > maxWaiting) {
          return reject(unavailable("Too much is waiting to be stored: nothing was stored"));
        }
        queued += entries.length;
        queue.push({ entries, characters: countCharacters(entries), resolve, reject });
        startCalls();
      });
    },
  };
}

async function storeBatch(
  batch: readonly Request[],
  store: BatcherOptions["store"],
): Promise<void> {
  try {
    const results = await store(batch.flatMap((request) => request.entries));
    let offset = 0;
    for (const { entries, resolve } of batch) {
      resolve(results.slice(offset, offset += entries.length));
    }
  } catch (error) {
    // Who is alone has nobody else's entry to blame, and an absent database is nobody's fault.
    const isNobodysFault = isUnavailable(error) && !isRetryable(error);
    if (batch.length === 1 || isNobodysFault) return rejectAll(batch, error);
    for (const request of batch) await storeBatch([request], store);
  }
}

function rejectAll(batch: readonly Request[], error: unknown): void {
  // 503 promises that nothing was stored; a connection lost in mid-call cannot.
  const cause = isOutcomeUnknown(error)
    ? new ApiError("internal_error", "internal error", { cause: error })
    : error;
  for (const { reject } of batch) reject(cause);
}

function countEntries(batch: readonly Request[]): number {
  return batch.reduce((sum, request) => sum + request.entries.length, 0);
}

function countCharacters(entries: readonly string[]): number {
  return entries.reduce((sum, entry) => sum + entry.length, 0);
}
