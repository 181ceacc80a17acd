import type { Log } from "../log/log.ts";
import { systemClock, type WorkClock } from "./clock.ts";
import type { WorkListener } from "./listener.ts";
import { createRun, type Run } from "./run.ts";
import { defaultRunLimits, type RunLimits, type Work } from "./work.ts";

/** A worker for one kind of claimed work. */
export interface ClaimWorker {
  /** Starts a run, or informs the running one of news; resolves when it has ended. */
  wake(): Promise<void>;
  /**
   * Stops the worker: waiting items are released, and running ones have `graceMs` (default 2 s) to
   * finish before they are aborted, to be run again by another worker.
   */
  stop(graceMs?: number): Promise<void>;
}

export interface WorkerOptions<Item, Result> {
  /** Makes the work of one run. */
  startWork: () => Work<Item, Result>;
  /** @default `defaultRunLimits` */
  limits?: Partial<RunLimits> | undefined;
  /**
   * Creates the listener for the database's announcements; without it, runs ask many times per
   * second.
   */
  listen?: ((tell: () => void) => WorkListener) | undefined;
  clock?: WorkClock;
  log: Log;
}

const stopGraceMs = 2_000;

/** Makes a worker. It is stateless between runs, and any number of workers may run at once. */
export function createWorker<Item, Result>(options: WorkerOptions<Item, Result>): ClaimWorker {
  const { startWork, listen, clock = systemClock, log } = options;
  const limits = { ...defaultRunLimits, ...options.limits };
  const runs = new Set<Run>();
  // Between runs there is no listener: the database then calls a worker.
  const listener = listen?.(() => claiming?.tell());
  const isAnyBehind = () => runs.values().some((run) => run.isBehind);
  const isHearing = () => listener?.isHearing ?? false;
  let claiming: Run | null = null;
  let isStopped = false;

  async function work(): Promise<void> {
    const run = createRun({ work: startWork(), limits, isAnyBehind, isHearing, clock, log });
    runs.add(run);
    claiming = run;
    listener?.open();
    await run.claim();
    claiming = null;
    // The last items of this run may take long; new ones do not wait for them.
    const next = run.hasNews && !isStopped ? work() : undefined;
    await run.finish();
    runs.delete(run);
    await next;
  }

  let working: Promise<void> = Promise.resolve();
  return {
    wake() {
      if (isStopped) return working;
      if (claiming === null) working = Promise.all([working, work()]).then(() => {});
      // The announcement of the same work tells the run as well, unless the run ends before it.
      else if (isHearing()) claiming.noteCall();
      else claiming.tell();
      return working;
    },
    async stop(graceMs = stopGraceMs) {
      isStopped = true;
      for (const run of runs) run.stop(graceMs);
      await working;
    },
  };
}
