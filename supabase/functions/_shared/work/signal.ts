import type { WorkClock } from "./clock.ts";

/** Wakes one loop that sleeps. */
export interface Signal {
  /** Raised since the last wait began or ended. */
  readonly isRaised: boolean;
  raise(): void;
  /**
   * Resolves at the next `raise`, at once if there was one since the last wait, or in `ms`.
   * Returns whether it was raised.
   */
  wait(ms: number): Promise<boolean>;
}

/** Makes a signal for one waiting loop. */
export function createSignal(clock: WorkClock): Signal {
  let isRaised = false;
  let wakeUp: (() => void) | null = null;
  return {
    get isRaised() {
      return isRaised;
    },
    raise() {
      isRaised = true;
      wakeUp?.();
    },
    async wait(ms) {
      if (!isRaised && ms > 0) {
        const woken = Promise.withResolvers<void>();
        const cancel = clock.after(ms, woken.resolve);
        wakeUp = woken.resolve;
        await woken.promise;
        cancel();
        wakeUp = null;
      }
      const wasRaised = isRaised;
      isRaised = false;
      return wasRaised;
    },
  };
}
