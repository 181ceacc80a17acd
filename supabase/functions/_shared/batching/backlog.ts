/** Time for which requests must have taken too long before some are refused, in ms. */
const persistMs = 150;
/** Time without a refusal after which the overload is over, in ms. */
const calmMs = 2_000;
/** Smallest and largest change of the limit after a call. */
const change = { least: 0.8, most: 1.1 };

export interface BacklogOptions {
  /** Longest time until the entries of an admitted request should be stored, in ms. */
  maxStoreMs: number;
  /** Entries that are always admitted: with fewer, a call takes too long per entry. */
  minEntries: number;
  /** Requests that are always admitted: a few callers with bulks may wait longer. */
  minRequests: number;
}

/** A call that ended. */
export interface StoredCall {
  /** From the arrival of its oldest request, in ms. */
  tookMs: number;
  /** True if the call was full, and left requests behind. */
  leftMore: boolean;
  /** Entries waiting or being stored when it ended, its own included. */
  held: number;
}

/** Entries that are waiting or being stored, with those of a new request. */
export interface Share {
  held: number;
  /** Number of requests that they belong to. */
  requests: number;
  /** Those of the request's workspace. */
  own: number;
  /** Number of workspaces that have some. */
  workspaces: number;
}

/**
 * Measures how long it takes to store requests. If it takes too long although calls are full, more
 * arrives than can be stored. Then only as many entries are admitted as can be stored in time. This
 * limit follows the measured time, and the workspaces share it.
 */
export class Backlog {
  readonly #options: BacklogOptions;
  #overSince: number | undefined;
  #overloadedUntil = -Infinity;
  #limit = Infinity;

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** Records the end of a call. */
  noteStored({ tookMs, leftMore, held }: StoredCall, now: number): void {
    const { maxStoreMs, minEntries } = this.#options;
    const isOverloaded = now < this.#overloadedUntil;
    const factor = Math.min(change.most, Math.max(change.least, maxStoreMs / tookMs));
    // While more is held than the limit allows, the time is from requests that came before the
    // limit.
    if (isOverloaded && (factor > 1 || held <= this.#limit)) {
      this.#limit = Math.max(minEntries, this.#limit * factor);
    }
    if (tookMs <= maxStoreMs || !leftMore) {
      this.#overSince = undefined;
      return;
    }
    this.#overSince ??= now;
    if (isOverloaded || now - this.#overSince < persistMs) return;
    this.#overloadedUntil = now + calmMs;
    // The held entries will take as long as this call took.
    this.#limit = Math.max(minEntries, held * maxStoreMs / tookMs);
  }

  /** Returns true if a request would be stored too late. */
  isTooLate({ held, requests, own, workspaces }: Share, now: number): boolean {
    if (now >= this.#overloadedUntil) return false;
    if (requests <= this.#options.minRequests) return false;
    if (held <= this.#limit || own * workspaces <= this.#limit) return false;
    this.#overloadedUntil = now + calmMs;
    return true;
  }
}
