import type { WorkClock } from "./clock.ts";

/** Claimed items by lane; each lane runs a bounded number at once. */
export interface Lanes<Item> {
  /** Items that wait or run. */
  readonly size: number;
  add(items: readonly Item[]): void;
  /** Removes and returns the items that have waited since before `since` (`clock.now()`). */
  takeWaiting(since: number): Item[];
  /** Removes and returns the waiting items of one lane. */
  takeLane(lane: string): Item[];
  /** Resolves when nothing waits or runs. */
  empty(): Promise<void>;
}

export interface LaneOptions<Item> {
  laneOf(item: Item): string;
  /** Items of the item's lane that may run at once. */
  concurrencyOf(item: Item): number;
  /** Must not reject. */
  run(item: Item): Promise<void>;
  clock: WorkClock;
}

interface Lane<Item> {
  waiting: { item: Item; since: number }[];
  active: number;
}

/** Makes empty lanes. */
export function createLanes<Item>(
  { laneOf, concurrencyOf, run, clock }: LaneOptions<Item>,
): Lanes<Item> {
  const lanes = new Map<string, Lane<Item>>();
  let size = 0;
  let emptied: PromiseWithResolvers<void> | null = null;

  function pump(name: string, lane: Lane<Item>): void {
    for (let next = lane.waiting[0]; next; next = lane.waiting[0]) {
      if (lane.active >= concurrencyOf(next.item)) return;
      lane.waiting.shift();
      lane.active++;
      void start(name, lane, next.item);
    }
    if (lane.active === 0) lanes.delete(name);
  }

  async function start(name: string, lane: Lane<Item>, item: Item): Promise<void> {
    await run(item);
    lane.active--;
    resize(-1);
    pump(name, lane);
  }

  function resize(by: number): void {
    size += by;
    if (size > 0) return;
    emptied?.resolve();
    emptied = null;
  }

  function take(lane: Lane<Item>, since: number): Item[] {
    const count = lane.waiting.findIndex((entry) => entry.since >= since);
    const taken = lane.waiting.splice(0, count === -1 ? lane.waiting.length : count);
    resize(-taken.length);
    return taken.map(({ item }) => item);
  }

  return {
    get size() {
      return size;
    },
    add(items) {
      const since = clock.now();
      const touched = new Map<string, Lane<Item>>();
      for (const item of items) {
        const name = laneOf(item);
        const lane = lanes.get(name) ?? { waiting: [], active: 0 };
        lanes.set(name, lane);
        touched.set(name, lane);
        lane.waiting.push({ item, since });
      }
      resize(items.length);
      for (const [name, lane] of touched) pump(name, lane);
    },
    takeWaiting: (since) => [...lanes.values()].flatMap((lane) => take(lane, since)),
    takeLane(name) {
      const lane = lanes.get(name);
      return lane === undefined ? [] : take(lane, Infinity);
    },
    empty() {
      if (size === 0) return Promise.resolve();
      emptied ??= Promise.withResolvers<void>();
      return emptied.promise;
    },
  };
}
