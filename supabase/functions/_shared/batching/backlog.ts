/** Time for which requests must wait too long before some are refused, in ms. */
const persistMs = 100;
/** Time without a refusal after which the overload is over, in ms. */
const calmMs = 2_000;
/** Time over which the stored entries are averaged, in ms. */
const averageMs = 1_000;

export interface BacklogOptions {
  /** Longest time until the entries of an admitted request should be stored, in ms. */
  maxStoreMs: number;
  /** Entries that are always admitted: a call needs that many to be quick per entry. */
  minEntries: number;
}

/** A call that starts: how long its oldest request waited, and whether it left others behind. */
export interface Departure {
  waitedMs: number;
  leavesMore: () => boolean;
}

/**
 * Measures how long requests wait to be stored. If they wait too long although each call is full,
 * more arrives than the database stores: then only as much is admitted as it stores within the
 * limit.
 */
export class Backlog {
  readonly #options: BacklogOptions;
  #overSince: number | undefined;
  #overloadedUntil = -Infinity;
  #stored = 0;
  #storedAt = 0;
  /** Start of the average. */
  #measuredSince: number | undefined;

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** Records the start of a call. */
  noteStart({ waitedMs, leavesMore }: Departure, now: number): void {
    if (waitedMs <= this.#options.maxStoreMs / 2 || !leavesMore()) {
      this.#overSince = undefined;
      return;
    }
    this.#overSince ??= now;
    if (now - this.#overSince >= persistMs) this.#overloadedUntil = now + calmMs;
  }

  /** Records the end of a call that stored so many entries. */
  noteStored(entries: number, now: number): void {
    this.#measuredSince ??= now;
    this.#stored = this.#stored * Math.exp((this.#storedAt - now) / averageMs) + entries;
    this.#storedAt = now;
  }

  /** Records that nothing waits and nothing is being stored: idle time says nothing about speed. */
  noteIdle(): void {
    this.#measuredSince = undefined;
    this.#stored = 0;
  }

  /** Returns true if a request with so many entries waiting or being stored before it is too late. */
  isTooLong(entries: number, now: number): boolean {
    if (now >= this.#overloadedUntil) return false;
    const { maxStoreMs, minEntries } = this.#options;
    if (entries <= Math.max(minEntries, this.#entriesPerMs(now) * maxStoreMs)) return false;
    this.#overloadedUntil = now + calmMs;
    return true;
  }

  #entriesPerMs(now: number): number {
    if (this.#measuredSince === undefined) return 0;
    const ms = now - this.#measuredSince;
    // A young average has seen less than its whole time.
    const weight = averageMs * (1 - Math.exp(-ms / averageMs));
    return weight > 0 ? this.#stored * Math.exp((this.#storedAt - now) / averageMs) / weight : 0;
  }
}
