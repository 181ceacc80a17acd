import type { ClaimedDelivery } from "./dispatch_queue.ts";

/** Claimed deliveries by destination, each destination sending a bounded number at once. */
export interface Lanes {
  /** Waiting and being sent. */
  readonly size: number;
  add(deliveries: readonly ClaimedDelivery[]): void;
  /** Takes out those that have waited since before then (`performance.now()`). */
  takeWaiting(since: number): ClaimedDelivery[];
  /** Takes out those of one destination that wait. */
  takeLane(destinationId: string): ClaimedDelivery[];
  /** Resolves when nothing waits and nothing is being sent. */
  empty(): Promise<void>;
}

interface Lane {
  waiting: { delivery: ClaimedDelivery; since: number }[];
  active: number;
}

/** `send` must not reject. */
export function createLanes(send: (delivery: ClaimedDelivery) => Promise<void>): Lanes {
  const lanes = new Map<string, Lane>();
  let size = 0;
  let emptied: PromiseWithResolvers<void> | null = null;

  function pump(id: string, lane: Lane): void {
    for (let next = lane.waiting[0]; next; next = lane.waiting[0]) {
      if (lane.active >= (next.delivery.max_concurrency ?? 1)) return;
      lane.waiting.shift();
      lane.active++;
      void start(id, lane, next.delivery);
    }
    if (lane.active === 0) lanes.delete(id);
  }

  async function start(id: string, lane: Lane, delivery: ClaimedDelivery): Promise<void> {
    await send(delivery);
    lane.active--;
    resize(-1);
    pump(id, lane);
  }

  function resize(by: number): void {
    size += by;
    if (size > 0) return;
    emptied?.resolve();
    emptied = null;
  }

  function take(lane: Lane, since: number): ClaimedDelivery[] {
    const count = lane.waiting.findIndex((entry) => entry.since >= since);
    const taken = lane.waiting.splice(0, count === -1 ? lane.waiting.length : count);
    resize(-taken.length);
    return taken.map(({ delivery }) => delivery);
  }

  return {
    get size() {
      return size;
    },
    add(deliveries) {
      const since = performance.now();
      const touched = new Map<string, Lane>();
      for (const delivery of deliveries) {
        const id = delivery.destination_id;
        const lane = lanes.get(id) ?? { waiting: [], active: 0 };
        lanes.set(id, lane);
        touched.set(id, lane);
        lane.waiting.push({ delivery, since });
      }
      resize(deliveries.length);
      for (const [id, lane] of touched) pump(id, lane);
    },
    takeWaiting: (since) => [...lanes.values()].flatMap((lane) => take(lane, since)),
    takeLane(destinationId) {
      const lane = lanes.get(destinationId);
      return lane === undefined ? [] : take(lane, Infinity);
    },
    empty() {
      if (size === 0) return Promise.resolve();
      emptied ??= Promise.withResolvers<void>();
      return emptied.promise;
    },
  };
}
