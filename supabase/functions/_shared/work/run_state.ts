import type { WorkClock } from "./clock.ts";
import type { RunLimits, TaskRun } from "./work.ts";

/** Progress of a run within its limits. */
export interface RunState extends TaskRun {
  /** Times are those of `clock.now()`. */
  readonly endsAt: number;
  readonly lastWorkAt: number;
  readonly isStopping: boolean;
  /** True if somebody called since the latest claim began, which may not have seen the work. */
  readonly isCalled: boolean;
  noteCall(): void;
  noteClaim(): void;
  /** Items that the run may still claim. */
  readonly itemsLeft: number;
  stop(): void;
}

/** Makes the state of a run that starts now. */
export function createRunState(
  { maxRunMs, maxItems }: RunLimits,
  clock: WorkClock,
): RunState {
  const endsAt = clock.now() + maxRunMs;
  let lastWorkAt = clock.now();
  let isStopping = false;
  let isCalled = false;
  let itemsLeft = maxItems;
  return {
    endsAt,
    get lastWorkAt() {
      return lastWorkAt;
    },
    get isStopping() {
      return isStopping;
    },
    get isCalled() {
      return isCalled;
    },
    noteCall() {
      isCalled = true;
    },
    noteClaim() {
      isCalled = false;
    },
    get itemsLeft() {
      return itemsLeft;
    },
    isSpent: () => isStopping || clock.now() > endsAt || itemsLeft <= 0,
    noteWork() {
      lastWorkAt = clock.now();
    },
    spend(items) {
      itemsLeft -= items;
    },
    stop() {
      isStopping = true;
    },
  };
}
