import { isRetryable, isTimeout, isUnavailable, writeFailure } from "./db/errors.ts";
import type { IngestResult } from "./db/ingest.ts";
import { unavailable } from "./errors.ts";

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
  /** Most entries waiting or under way; beyond it requests are refused. */
  maxWaiting?: number;
  /** Most characters of them: an instance has 256 MiB for everything. */
  maxWaitingCharacters?: number;
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
  const { maxEntries = 1000, maxCharacters = 4_000_000 } = options;
  const { maxWaiting = 20_000, maxWaitingCharacters = 32_000_000 } = options;
  const queue: Request[] = [];
  let queued = 0;
  let underWay = 0;
  /** Waiting and under way. */
  const held = { entries: 0, characters: 0 };

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
      const entries = sum(batch, (request) => request.entries.length);
      queued -= entries;
      underWay++;
      void storeBatch(batch, store).finally(() => {
        held.entries -= entries;
        held.characters -= sum(batch, (request) => request.characters);
        underWay--;
        startCalls();
      });
    }
  }

  return {
    add(entries) {
      return new Promise((resolve, reject) => {
        const characters = sum(entries, (entry) => entry.length);
        const isTooMuch = held.entries + entries.length > maxWaiting ||
          held.characters + characters > maxWaitingCharacters;
        if (isTooMuch) {
          return reject(unavailable("Too much is waiting to be stored: nothing was stored"));
        }
        queued += entries.length;
        held.entries += entries.length;
        held.characters += characters;
        queue.push({ entries, characters, resolve, reject });
        startCalls();
      });
    },
  };
}

/** Resolves with the failure of which nobody else's entry was the reason. */
async function storeBatch(
  batch: readonly Request[],
  store: BatcherOptions["store"],
): Promise<unknown> {
  try {
    const results = await store(batch.flatMap((request) => request.entries));
    let offset = 0;
    for (const { entries, resolve } of batch) {
      resolve(results.slice(offset, offset += entries.length));
    }
    return undefined;
  } catch (error) {
    // Who is alone has nobody else's entry to blame, and an absent database is nobody's fault.
    const isNobodysFault = isUnavailable(error) && !isRetryable(error) && !isTimeout(error);
    if (batch.length > 1 && !isNobodysFault) return await storeApart(batch, store);
    rejectAll(batch, error);
    return error;
  }
}

/** One request after the other, until two in succession take too long: then it is the database. */
async function storeApart(
  batch: readonly Request[],
  store: BatcherOptions["store"],
): Promise<unknown> {
  let timeouts = 0;
  for (const [index, request] of batch.entries()) {
    const failure = await storeBatch([request], store);
    timeouts = isTimeout(failure) ? timeouts + 1 : 0;
    if (timeouts === 2) {
      rejectAll(batch.slice(index + 1), failure);
      return failure;
    }
  }
  return undefined;
}

function rejectAll(batch: readonly Request[], error: unknown): void {
  for (const { reject } of batch) reject(writeFailure(error));
}

function sum<Item>(items: readonly Item[], measure: (item: Item) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}
