/** Time as the engine sees it. */
export interface WorkClock {
  /** Milliseconds since a fixed instant; never goes back. */
  now(): number;
  /** Calls `run` in `ms` milliseconds; the returned function cancels the call. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: WorkClock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves in `ms` milliseconds. */
export function pause(clock: WorkClock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(Math.max(0, ms), resolve));
}
