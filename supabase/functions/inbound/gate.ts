import { unavailable } from "../_shared/errors/errors.ts";

/** A share of the gate's capacity. */
export interface Room {
  /** Reduces the share to this size. */
  shrinkTo(size: number): void;
  /** Returns the share; repeated calls do nothing. */
  leave(): void;
}

export interface Gate {
  /**
   * Resolves once there is room for `size`, in the order of the calls. A request larger than the
   * gate takes all of it.
   *
   * @throws {ApiError} `unavailable` if too much is waiting already
   */
  enter(size: number): Promise<Room>;
}

interface Waiter {
  size: number;
  enter: () => void;
}

/** Limits how much is in memory at once; the rest waits, up to `maxWaiting`. */
export function createGate({ size, maxWaiting }: { size: number; maxWaiting: number }): Gate {
  const queue: Waiter[] = [];
  let free = size;
  let waiting = 0;

  function admit(): void {
    for (let next = queue[0]; next !== undefined && next.size <= free; next = queue[0]) {
      queue.shift();
      waiting -= next.size;
      free -= next.size;
      next.enter();
    }
  }

  function makeRoom(taken: number): Room {
    let held = taken;
    const shrinkTo = (kept: number) => {
      free += Math.max(0, held - kept);
      held = Math.min(held, kept);
      admit();
    };
    return { shrinkTo, leave: () => shrinkTo(0) };
  }

  return {
    enter(wanted) {
      const taken = Math.min(wanted, size);
      if (waiting + taken > maxWaiting && (queue.length > 0 || taken > free)) {
        return Promise.reject(unavailable("Too many webhooks arrived at once: send it again"));
      }
      return new Promise((resolve) => {
        waiting += taken;
        queue.push({ size: taken, enter: () => resolve(makeRoom(taken)) });
        admit();
      });
    },
  };
}
