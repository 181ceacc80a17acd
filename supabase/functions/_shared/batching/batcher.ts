import type { IngestResult } from "../entries/ingest.ts";
import { unavailable } from "../errors/errors.ts";
import { Backlog, type StoredCall } from "./backlog.ts";
import { FairQueue, type WaitingRequest } from "./fair_queue.ts";
import { Pace } from "./pace.ts";
import { type Store, storeBatch } from "./store_batch.ts";

/** Collects the entries of several requests and stores them in common calls. */
export interface Batcher {
  /**
   * Stores the entries of one request of a workspace, in order; resolves after the commit. Entries
   * that take too long even alone are rejected in the results.
   *
   * @param room the room reserved for them, which they take over
   * @throws {ApiError} `unavailable` if too much is waiting, and any error of `store`
   */
  add(workspaceId: string, entries: readonly string[], room?: Room): Promise<IngestResult[]>;
  /**
   * Reserves room for a request whose body, of this many bytes, has arrived. Refuses the request
   * before it is parsed if its entries would wait too long. The caller frees the room at the end.
   *
   * @throws {ApiError} `unavailable`
   */
  reserveRoom(workspaceId: string, bytes: number): Room;
}

/** Room for the entries of a request whose body is being parsed. */
export interface Room {
  /** Monotonic time of the reservation, in ms. */
  readonly arrivedAt: number;
  /** Size of the body. */
  readonly bytes: number;
  /** Frees the room; repeated calls do nothing. */
  leave(): void;
}

export interface BatcherOptions {
  store: Store;
  /** Most concurrent calls; one more is allowed if a slow call would hold up all others. */
  concurrency?: number;
  /** With this many waiting entries, a call starts without waiting for the running one. */
  fullBatch?: number;
  /** Entries that are always admitted in an overload: with fewer, a call takes too long per entry. */
  minEntries?: number;
  /** A call of one workspace this large takes a while: others never wait for it. */
  heavyBatch?: Load;
  /** Most entries per call, unless a single request has more. */
  maxEntries?: number;
  /** Most characters per call, unless a single request has more. */
  maxCharacters?: number;
  /** Most load waiting or running; further requests are refused. */
  maxWaiting?: Load;
  /** Most load of a single workspace. */
  maxWaitingOfOne?: Load;
  /** Longest time until admitted entries should be stored while others are refused, in ms. */
  maxStoreMs?: number;
  /** Requests that are admitted in an overload, however long they take. */
  minRequests?: number;
  /** Duration after which a call counts as slow, in ms: others no longer wait for it. */
  slowMs?: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** Runs a function later, unless the returned function is called first. */
  schedule?: (run: () => void, ms: number) => () => void;
}

/** Entries and their characters: an instance has 256 MiB for everything. */
export interface Load {
  entries: number;
  characters: number;
}

interface Call {
  workspaceIds: ReadonlySet<string>;
  size: Load;
  startedAt: number;
  isApart: boolean;
}

/** Entries per byte of a body: the first guess, and the weight of each body in the average. */
const density = { guess: 1 / 500, weight: 0.05 };

const defaults = {
  concurrency: 2,
  // While one call is stored, the next one is received. A call has costs of its own: this many
  // entries share them, and most requests of 64 connections fill it.
  fullBatch: 48,
  minEntries: 250,
  heavyBatch: { entries: 100, characters: 100_000 },
  maxEntries: 1000,
  maxCharacters: 4_000_000,
  maxWaiting: { entries: 20_000, characters: 32_000_000 },
  // Two bodies of the largest size, and more entries than any body holds.
  maxWaitingOfOne: { entries: 5_000, characters: 10_500_000 },
  maxStoreMs: 80,
  minRequests: 16,
  slowMs: 250,
  now: () => performance.now(),
  schedule: (run: () => void, ms: number) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Creates a group commit: entries that arrive during a call wait for the next one, and workspaces
 * take turns. A workspace with slow calls is stored separately, one call at a time, so that no
 * other workspace waits for it.
 */
export function createBatcher(options: BatcherOptions): Batcher {
  return new FairBatcher({ ...defaults, ...options });
}

class FairBatcher implements Batcher {
  readonly #options: Required<BatcherOptions>;
  readonly #queue = new FairQueue();
  readonly #pace: Pace;
  readonly #backlog: Backlog;
  readonly #calls = new Set<Call>();
  /** Waiting and running: in total, and per workspace. */
  readonly #held: Load = { entries: 0, characters: 0 };
  #heldRequests = 0;
  readonly #heldOf = new Map<string, Load>();
  #entriesPerByte = density.guess;
  #stored = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(options: Required<BatcherOptions>) {
    this.#options = options;
    this.#pace = new Pace(options.slowMs);
    const { maxStoreMs, minEntries, minRequests } = options;
    this.#backlog = new Backlog({ maxStoreMs, minEntries, minRequests });
  }

  add(workspaceId: string, entries: readonly string[], room?: Room): Promise<IngestResult[]> {
    return new Promise((resolve, reject) => {
      const characters = entries.reduce((total, entry) => total + entry.length, 0);
      const load = { entries: entries.length, characters };
      if (room !== undefined) this.#exchange(room, load);
      const refusal = this.#refuse(workspaceId, load) ??
        (room === undefined ? this.#refuseLate(workspaceId, load) : undefined);
      if (refusal !== undefined) return reject(unavailable(refusal));
      const at = this.#options.now();
      const arrivedAt = room?.arrivedAt ?? at;
      const request = { workspaceId, entries, characters, arrivedAt, resolve, reject };
      this.#hold(workspaceId, load, 1);
      this.#pace.see(workspaceId, at);
      this.#queue.add(request);
      this.#startCalls();
    });
  }

  reserveRoom(workspaceId: string, bytes: number): Room {
    const guess = Math.round(bytes * this.#entriesPerByte);
    const entries = Math.min(this.#options.maxEntries, Math.max(1, guess));
    const load = { entries, characters: 0 };
    const refusal = this.#refuse(workspaceId, load) ?? this.#refuseLate(workspaceId, load);
    if (refusal !== undefined) throw unavailable(refusal);
    this.#hold(workspaceId, load, 1);
    let isHeld = true;
    const leave = () => {
      if (isHeld) this.#hold(workspaceId, load, -1);
      isHeld = false;
    };
    return { arrivedAt: this.#options.now(), bytes, leave };
  }

  /** Frees the room that entries take over, and learns from their number. */
  #exchange(room: Room, { entries }: Load): void {
    room.leave();
    const measured = entries / Math.max(1, room.bytes);
    this.#entriesPerByte += density.weight * (measured - this.#entriesPerByte);
  }

  /** Returns why memory has no room for more. */
  #refuse(workspaceId: string, more: Load): string | undefined {
    const { maxWaiting, maxWaitingOfOne } = this.#options;
    if (isOver(this.#held, more, maxWaiting)) {
      return "Too much is waiting to be stored: nothing was stored";
    }
    const own = this.#heldOf.get(workspaceId);
    if (own !== undefined && isOver(own, more, maxWaitingOfOne)) {
      return "Too much of this workspace is waiting to be stored: nothing was stored";
    }
  }

  /** Returns the reason why more entries would be stored too late. */
  #refuseLate(workspaceId: string, more: Load): string | undefined {
    const own = this.#heldOf.get(workspaceId);
    const share = {
      held: this.#held.entries + more.entries,
      requests: this.#heldRequests + 1,
      own: (own?.entries ?? 0) + more.entries,
      workspaces: this.#heldOf.size + (own === undefined ? 1 : 0),
    };
    if (this.#backlog.isTooLate(share, this.#options.now())) {
      return "Entries arrive faster than they can be stored: nothing was stored";
    }
  }

  #hold(workspaceId: string, { entries, characters }: Load, sign: 1 | -1): void {
    this.#heldRequests += sign;
    const own = this.#heldOf.get(workspaceId) ?? { entries: 0, characters: 0 };
    for (const load of [this.#held, own]) {
      load.entries += sign * entries;
      load.characters += sign * characters;
    }
    if (own.entries > 0) this.#heldOf.set(workspaceId, own);
    else this.#heldOf.delete(workspaceId);
  }

  #free({ workspaceId, entries, characters }: WaitingRequest): void {
    this.#hold(workspaceId, { entries: entries.length, characters }, -1);
  }

  #startCalls(): void {
    while (this.#startCall());
    this.#watch();
  }

  /** Starts a call if possible; returns true if it did. */
  #startCall(): boolean {
    if (this.#queue.isEmpty) return false;
    const { concurrency, fullBatch, heavyBatch, now, slowMs } = this.#options;
    const at = now();
    const isApart = (id: string) => this.#pace.isAnyApart && this.#pace.isApart(id, at);
    if (this.#calls.size < concurrency && this.#startApart(isApart)) return true;
    const together = [...this.#calls].filter((call) => !call.isApart);
    const isShared = this.#pace.isShared(at);
    const slow = together.filter((call) =>
      isShared && (at - call.startedAt >= slowMs || isHeavy(call, heavyBatch))
    );
    // A workspace that others already wait for gets no second call.
    const mayGo = (id: string) => !isApart(id) && !slow.some((call) => call.workspaceIds.has(id));
    const isFree = together.length === slow.length
      ? this.#calls.size <= concurrency
      : this.#calls.size < concurrency && this.#queue.countEntries(mayGo) >= fullBatch;
    if (!isFree) return false;
    const batch = this.#queue.take(this.#options, mayGo);
    return this.#run(batch, false);
  }

  #startApart(isApart: (workspaceId: string) => boolean): boolean {
    if (!this.#pace.isAnyApart || [...this.#calls].some((call) => call.isApart)) return false;
    for (const workspaceId of this.#queue.workspaceIds()) {
      if (!isApart(workspaceId)) continue;
      const isUnderWay = [...this.#calls].some((call) => call.workspaceIds.has(workspaceId));
      if (isUnderWay) continue;
      return this.#run(this.#queue.take(this.#options, (id) => id === workspaceId), true);
    }
    return false;
  }

  #run(batch: WaitingRequest[], isApart: boolean): boolean {
    if (batch.length === 0) return false;
    const { store, now } = this.#options;
    const workspaceIds = new Set(batch.map((request) => request.workspaceId));
    const size = {
      entries: batch.reduce((total, { entries }) => total + entries.length, 0),
      characters: batch.reduce((total, { characters }) => total + characters, 0),
    };
    const call = { workspaceIds, size, startedAt: now(), isApart };
    this.#calls.add(call);
    const leftMore = !this.#queue.isEmpty;
    const context = {
      store: async (entries: readonly string[]) => {
        const results = await store(entries);
        this.#stored++;
        return results;
      },
      countStored: () => this.#stored,
    };
    void storeBatch(batch, context).then((again) => {
      this.#calls.delete(call);
      this.#pace.note(workspaceIds, { tookMs: now() - call.startedAt, now: now() });
      if (!isApart) this.#backlog.noteStored(this.#describe(batch, leftMore), now());
      this.#queue.putBack(again);
      for (const request of batch) if (!again.includes(request)) this.#free(request);
      this.#startCalls();
    });
    return true;
  }

  #describe(batch: readonly WaitingRequest[], leftMore: boolean): StoredCall {
    const oldest = Math.min(...batch.map(({ arrivedAt }) => arrivedAt));
    return { tookMs: this.#options.now() - oldest, leftMore, held: this.#held.entries };
  }

  /** Checks again once the running calls are slow, if any request waits for them. */
  #watch(): void {
    if (this.#queue.isEmpty) {
      this.#cancelTimer?.();
      this.#cancelTimer = undefined;
      return;
    }
    if (this.#cancelTimer !== undefined || this.#calls.size > this.#options.concurrency) return;
    this.#cancelTimer = this.#options.schedule(() => {
      this.#cancelTimer = undefined;
      this.#startCalls();
    }, this.#options.slowMs);
  }
}

function isHeavy({ workspaceIds, size }: Call, heavy: Load): boolean {
  const isLarge = size.entries >= heavy.entries || size.characters >= heavy.characters;
  return isLarge && workspaceIds.size === 1;
}

function isOver(held: Load, more: Load, most: Load): boolean {
  return held.entries + more.entries > most.entries ||
    held.characters + more.characters > most.characters;
}
