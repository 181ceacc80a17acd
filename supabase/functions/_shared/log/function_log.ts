import { runLater } from "../event_loop/run_later.ts";
import { createLog, type Log, type LogLevel } from "./log.ts";
import { type Bound, createLogBound } from "./log_bound.ts";

/**
 * Creates the log of a deployed function: bounded, and flushed before the platform ends the
 * instance.
 */
export function createFunctionLog(name: string, level: LogLevel): Log {
  return createLog({
    name,
    level,
    bound: (write) => {
      const now = () => performance.now();
      const bound: Bound = createLogBound({ write, now, schedule: runLater });
      addEventListener("beforeunload", () => bound.flush());
      return bound.take;
    },
  });
}
