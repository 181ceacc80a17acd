import type { Ear } from "./dispatch_queue.ts";
import { createReencrypt } from "./reencrypt.ts";
import { DispatchRun, type RunDeps } from "./run.ts";

export interface Dispatcher {
  /** Starts a run, or tells the one under way that there is news; resolves when it has ended. */
  wake(): Promise<void>;
  /**
   * Ends the run for good: what waits is given back, and what is being sent has `graceMs`
   * (default 2 s) to finish before it is cut off, to be sent again by another dispatcher.
   */
  stop(graceMs?: number): Promise<void>;
}

export interface DispatcherDeps extends RunDeps {
  /** Makes what the database tells of work; without it, runs ask many times a second. */
  makeEar?: (tell: () => void) => Ear;
}

const stopGraceMs = 2_000;

/** Makes a dispatcher: stateless between runs, and any number of them may run at once. */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const runs = new Set<DispatchRun>();
  // Between runs nobody is told: the database calls for a dispatcher then.
  const ear = deps.makeEar?.(() => claiming?.tell());
  const shared = {
    reencrypt: createReencrypt(deps),
    isAnyBehind: () => runs.values().some((run) => run.isBehind),
    isHearing: () => ear?.hears ?? false,
  };
  let claiming: DispatchRun | null = null;
  let isStopped = false;

  async function work(): Promise<void> {
    const run = new DispatchRun(deps, shared);
    runs.add(run);
    claiming = run;
    ear?.open();
    await run.claimAll();
    claiming = null;
    // The last requests of this run may take long; what is new does not wait for them.
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
