import { setImmediate } from "node:timers/promises";
import type { WorkClock } from "../../supabase/functions/_shared/work/clock.ts";

/** Clock whose time passes only when a test says so. */
export interface VirtualClock extends WorkClock {
  /** Lets time pass, timer by timer, until `work` settles; returns its result. */
  runUntil<Result>(work: Promise<Result>): Promise<Result>;
}

/** Makes a clock that starts at 0 and continues only when everything waits for a timer. */
export function createVirtualClock(): VirtualClock {
  const timers = new Map<symbol, { at: number; run: () => void }>();
  let now = 0;

  function fireNext(): void {
    const next = [...timers].sort(([, a], [, b]) => a.at - b.at)[0];
    if (next === undefined) throw new Error("Cannot let time pass: nothing waits for a timer");
    const [key, { at, run }] = next;
    timers.delete(key);
    now = Math.max(now, at);
    run();
  }

  return {
    now: () => now,
    after(ms, run) {
      const key = Symbol();
      timers.set(key, { at: now + ms, run });
      return () => void timers.delete(key);
    },
    async runUntil(work) {
      let isSettled = false;
      const settled = work.finally(() => isSettled = true);
      settled.catch(() => {});
      // One turn of the event loop runs all promises that wait for no timer.
      for (await setImmediate(); !isSettled; await setImmediate()) fireNext();
      return await settled;
    },
  };
}
