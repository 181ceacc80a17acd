import type { WorkListener } from "../_shared/work/listener.ts";
import type { RunLimits } from "../_shared/work/work.ts";
import { type ClaimWorker, createWorker } from "../_shared/work/worker.ts";
import { createDispatchWork, type DispatchWorkDeps } from "./dispatch_work.ts";
import { createReencrypt } from "./reencrypt.ts";
import { createDispatchTasks } from "./tasks.ts";

/** A worker that sends deliveries. */
export type Dispatcher = ClaimWorker;

export interface DispatcherDeps extends DispatchWorkDeps {
  limits?: Partial<RunLimits>;
  /**
   * Creates the listener for the database's announcements; without it, runs ask many times per
   * second.
   */
  listen?: (tell: () => void) => WorkListener;
}

/** Creates a dispatcher. It is stateless between runs, and any number of them may run at once. */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { limits, listen, log } = deps;
  const tasks = createDispatchTasks({ ...deps, reencrypt: createReencrypt(deps) });
  return createWorker({ startWork: () => createDispatchWork(deps, tasks), limits, listen, log });
}
