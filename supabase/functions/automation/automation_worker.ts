import type { WorkListener } from "../_shared/work/listener.ts";
import type { RunLimits } from "../_shared/work/work.ts";
import { type ClaimWorker, createWorker } from "../_shared/work/worker.ts";
import { createRunWork, type RunWorkDeps } from "./run_work.ts";
import { createAutomationTasks } from "./tasks.ts";

/** A worker that moves runs of journeys. */
export type AutomationWorker = ClaimWorker;

export interface AutomationWorkerDeps extends RunWorkDeps {
  limits?: Partial<RunLimits>;
  /**
   * Creates the listener for the database's announcements; without it, runs ask many times per
   * second.
   */
  listen?: (tell: () => void) => WorkListener;
}

/**
 * Limits of one run of the function on one database. The platform gives a request 2 s of processor
 * time, of which a run of a journey takes about 0.1 ms. Few runs at once leave the database to
 * ingest when 100,000 are due at one instant.
 */
export const runLimits = { maxItems: 10_000, maxHeld: 80 } as const;

/** Runs of journeys that one instance holds at most, of all databases together. */
export const maxHeldOfAll = 1_000;

/** Creates a worker. It is stateless between runs, and any number of them may run at once. */
export function createAutomationWorker(deps: AutomationWorkerDeps): AutomationWorker {
  const { limits, listen, log } = deps;
  const tasks = createAutomationTasks(deps);
  return createWorker({ startWork: () => createRunWork(deps, tasks), limits, listen, log });
}
