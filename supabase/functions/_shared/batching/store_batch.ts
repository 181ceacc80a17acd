import {
  isLockTimeout,
  isOutcomeUnknown,
  isRetryable,
  isTimeout,
  isUnavailable,
  writeFailure,
} from "../db/errors.ts";
import type { IngestResult, RefusedEntry } from "../entries/ingest.ts";
import type { WaitingRequest } from "./fair_queue.ts";

/** Stores entries (JSON texts) in one transaction; results in order. */
export type Store = (entries: readonly string[]) => Promise<IngestResult[]>;

/** Means of a batch: how it is stored, and how to tell a slow batch from a slow database. */
export interface StoreContext {
  store: Store;
  /** Number of successful calls: if it grows during a call, the database is not what is slow. */
  countStored: () => number;
}

/** Most timeouts per request before its remaining entries are rejected. */
const maxTimeouts = 6;
/** Most timeouts while no call succeeds at all. */
const maxUnproven = 3;

const tooMuch: RefusedEntry = {
  ok: false,
  code: "payload_too_large",
  error: "Storing this entry took too long: it was not stored, because it needs too much work",
};
const lockedOut: RefusedEntry = {
  ok: false,
  code: "unavailable",
  error:
    "Another change of the same customer took too long: this entry was not stored, send it again",
};
const notTried: RefusedEntry = {
  ok: false,
  code: "unavailable",
  error: "Storing this entry with others took too long: it was not stored, send it again alone",
};
const notStored: RefusedEntry = {
  ok: false,
  code: "unavailable",
  error: "Database is unavailable: this entry was not stored, send it again",
};
const outcomeUnknown: RefusedEntry = {
  ok: false,
  code: "internal_error",
  error:
    "The connection broke: this entry may have been stored, send it again with the same idempotency_key",
};

/**
 * Stores the requests of a batch and resolves each. If the call fails because of its content, the
 * requests are stored one by one, so that no request fails because of another's entry.
 *
 * @returns the requests of several workspaces that together took too long, to be retried separately
 */
export async function storeBatch(
  batch: readonly WaitingRequest[],
  context: StoreContext,
): Promise<readonly WaitingRequest[]> {
  const storedBefore = context.countStored();
  try {
    const results = await context.store(batch.flatMap((request) => request.entries));
    let offset = 0;
    for (const { entries, resolve } of batch) {
      resolve(results.slice(offset, offset += entries.length));
    }
  } catch (error) {
    // When the database is down, splitting does not help.
    const isNobodysFault = isUnavailable(error) && !isRetryable(error) && !isTimeout(error);
    if (isNobodysFault) rejectAll(batch, error);
    else if (isTimeout(error) && isOfMany(batch)) return batch;
    else if (batch.length === 1 && !isTimeout(error)) rejectAll(batch, error);
    else await storeApart(batch, { context, storedBefore, failure: error });
  }
  return [];
}

function isOfMany(batch: readonly WaitingRequest[]): boolean {
  return batch.some(({ workspaceId }) => workspaceId !== batch[0]!.workspaceId);
}

interface Failed {
  context: StoreContext;
  /** `countStored` before the call that failed. */
  storedBefore: number;
  failure: unknown;
}

/** Stores requests one after the other, until two in a row time out: then the database is slow. */
async function storeApart(batch: readonly WaitingRequest[], failed: Failed): Promise<void> {
  const { context } = failed;
  const isDatabaseFine = () => context.countStored() > failed.storedBefore;
  const undecided: { request: WaitingRequest; attempt: PartialStore }[] = [];
  let timeouts = 0;
  for (const [index, request] of batch.entries()) {
    const attempt = new PartialStore(context.store, isDatabaseFine);
    // A single request has just been tried.
    const isTried = batch.length === 1;
    try {
      await attempt.run(request.entries, isTried ? failed.failure : undefined);
      if (attempt.timeouts === 0 || attempt.hasStored) request.resolve(attempt.results);
      else undecided.push({ request, attempt });
      timeouts = attempt.timeouts > 0 ? timeouts + 1 : 0;
    } catch (error) {
      request.reject(writeFailure(error));
      timeouts = 0;
    }
    if (timeouts === 2 && !isDatabaseFine()) {
      rejectAll(batch.slice(index + 1), failed.failure);
      break;
    }
  }
  for (const { request, attempt } of undecided) {
    if (isDatabaseFine()) request.resolve(attempt.results);
    else request.reject(writeFailure(attempt.failure));
  }
}

/** Stores the entries of one request, halving the call each time it takes too long. */
class PartialStore {
  readonly results: IngestResult[] = [];
  timeouts = 0;
  hasStored = false;
  failure: unknown;
  readonly #store: Store;
  readonly #isDatabaseFine: () => boolean;

  constructor(store: Store, isDatabaseFine: () => boolean) {
    this.#store = store;
    this.#isDatabaseFine = isDatabaseFine;
  }

  /** @throws any error before something was stored, unless smaller parts may succeed */
  async run(entries: readonly string[], failure?: unknown): Promise<void> {
    const error = failure ?? await this.#try(entries);
    if (error === undefined) return;
    if (!isTimeout(error)) {
      if (!this.hasStored) throw error;
      // Some entries were stored: each entry gets its own result.
      const refused = isOutcomeUnknown(error) ? outcomeUnknown : notStored;
      this.results.push(...entries.map(() => refused));
      return;
    }
    this.failure = error;
    this.timeouts++;
    if (this.timeouts >= maxUnproven && !this.#isDatabaseFine()) throw error;
    if (entries.length === 1) {
      this.results.push(isLockTimeout(error) ? lockedOut : tooMuch);
    } else if (this.timeouts >= maxTimeouts) {
      this.results.push(...entries.map(() => notTried));
    } else {
      const half = Math.ceil(entries.length / 2);
      await this.run(entries.slice(0, half));
      await this.run(entries.slice(half));
    }
  }

  async #try(entries: readonly string[]): Promise<unknown> {
    if (this.timeouts >= maxTimeouts) {
      this.results.push(...entries.map(() => notTried));
      return undefined;
    }
    try {
      this.results.push(...await this.#store(entries));
      this.hasStored = true;
      return undefined;
    } catch (error) {
      return error;
    }
  }
}

function rejectAll(batch: readonly WaitingRequest[], error: unknown): void {
  for (const { reject } of batch) reject(writeFailure(error));
}
