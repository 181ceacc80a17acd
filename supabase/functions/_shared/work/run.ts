import { errorFields, type Log } from "../log/log.ts";
import { claimAll } from "./claim_loop.ts";
import type { WorkClock } from "./clock.ts";
import { createHeldItems } from "./held_items.ts";
import { createRunState } from "./run_state.ts";
import { createSignal } from "./signal.ts";
import { createTaskTurns } from "./task_turns.ts";
import type { RunLimits, Work } from "./work.ts";

/** One run of a worker: claims while items run, until its time is up or nothing is left. */
export interface Run {
  /** True if the run received news that it no longer acted on. */
  readonly hasNews: boolean;
  /** True if results could not be recorded so far. */
  readonly isBehind: boolean;
  /** Tells the run that there is something new to claim. */
  tell(): void;
  /** Notes a call without acting on it: its announcement comes. It is news until the next claim. */
  noteCall(): void;
  /** Claims no more work, and aborts running items after `graceMs`. */
  stop(graceMs: number): void;
  /** Resolves when no more is claimed, while the last items may still run. */
  claim(): Promise<void>;
  /** Resolves when everything that was claimed has run or was given back, and is recorded. */
  finish(): Promise<void>;
}

export interface RunOptions<Item, Result> {
  work: Work<Item, Result>;
  limits: RunLimits;
  /** Returns true if any run of the worker has results that it could not record so far. */
  isAnyBehind: () => boolean;
  /** Returns true if the database announces work to the worker. */
  isHearing: () => boolean;
  clock: WorkClock;
  log: Log;
}

/** Makes a run that starts now. */
export function createRun<Item, Result>(options: RunOptions<Item, Result>): Run {
  const { work, limits, isAnyBehind, isHearing, clock, log } = options;
  const news = createSignal(clock);
  const state = createRunState(limits, clock);
  const held = createHeldItems({ work, onResult: state.noteWork, clock, log });
  const turns = createTaskTurns({
    tasks: work.tasks ?? [],
    run: state,
    expireClaims: () => work.expireClaims(),
    isAnyBehind,
    log,
  });
  let cancelCut: (() => void) | undefined;

  async function passOn(): Promise<void> {
    try {
      await work.passOn();
    } catch (error) {
      log.error(work.failedEvent, errorFields(error));
    }
  }

  return {
    get hasNews() {
      return news.isRaised || state.isCalled;
    },
    get isBehind() {
      return held.isBehind;
    },
    tell: () => news.raise(),
    noteCall: () => state.noteCall(),
    stop(graceMs) {
      state.stop();
      news.raise();
      cancelCut ??= clock.after(graceMs, () => held.cutOff());
    },
    async claim() {
      const hasMore = await claimAll({
        work,
        limits,
        state,
        held,
        turns,
        news,
        isHearing,
        clock,
        log,
      });
      if (hasMore) await passOn();
      held.giveBackWaiting(Infinity);
    },
    async finish() {
      const isWorking = held.size > 0;
      await turns.finish();
      await held.empty();
      cancelCut?.();
      // Its last items may have blocked their lanes for other workers.
      if (isWorking) await passOn();
    },
  };
}
