import { createLog, type Log, type LogLevel } from "./log.ts";
import { type Bound, createLogBound } from "./log_bound.ts";

declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

/**
 * Creates the log of a deployed function: bounded, and flushed before the platform ends the
 * instance.
 */
export function createFunctionLog(name: string, level: LogLevel): Log {
  return createLog({
    name,
    level,
    bound: (write) => {
      const bound: Bound = createLogBound({ write, now: () => performance.now(), schedule });
      addEventListener("beforeunload", () => bound.flush());
      return bound.take;
    },
  });
}

/** Keeps the instance alive until the work is done. */
function schedule(work: () => void, ms: number): void {
  const done = new Promise<void>((resolve) =>
    setTimeout(() => {
      work();
      resolve();
    }, ms)
  );
  if (typeof EdgeRuntime !== "undefined") EdgeRuntime.waitUntil(done);
}
