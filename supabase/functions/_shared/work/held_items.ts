import type { Log } from "../log/log.ts";
import type { WorkClock } from "./clock.ts";
import { createLanes } from "./lanes.ts";
import { createRecorder } from "./recorder.ts";
import type { Work } from "./work.ts";

/** Items that one run has claimed, until their results are recorded. */
export interface HeldItems<Item> {
  /** Items that wait or run. */
  readonly size: number;
  /** Nothing waits or runs, and all results are recorded. */
  readonly isIdle: boolean;
  /** Results could not be recorded so far. */
  readonly isBehind: boolean;
  add(items: readonly Item[]): void;
  /** Gives items back that were never added. */
  giveBack(items: readonly Item[]): void;
  /** Gives back the items that have waited since before `since` (`clock.now()`). */
  giveBackWaiting(since: number): void;
  /** Aborts running items; a result that cannot be recorded is dropped. */
  cutOff(): void;
  /** Resolves when nothing waits or runs, and all results are recorded or dropped. */
  empty(): Promise<void>;
}

export interface HeldItemsOptions<Item, Result> {
  work: Work<Item, Result>;
  /** Called after each item. */
  onResult: () => void;
  clock: WorkClock;
  log: Log;
}

/** Creates the object that runs items in their lanes and records the results. */
export function createHeldItems<Item, Result>(
  { work, onResult, clock, log }: HeldItemsOptions<Item, Result>,
): HeldItems<Item> {
  const cut = new AbortController();
  const recorder = createRecorder<Result>({
    record: (results) => work.record(results),
    simplify: work.simplify?.bind(work),
    clock,
    log,
  });
  const lanes = createLanes<Item>({
    laneOf: (item) => work.laneOf(item),
    concurrencyOf: (item) => work.concurrencyOf(item),
    async run(item) {
      const result = await work.run(item, cut.signal);
      recorder.add(result);
      onResult();
      // The database hands out the other waiting items of a failing lane again.
      if (work.isLaneFailing(result)) giveBack(lanes.takeLane(work.laneOf(item)));
    },
    clock,
  });

  function giveBack(items: readonly Item[]): void {
    for (const item of items) recorder.add(work.giveBack(item));
  }

  return {
    get size() {
      return lanes.size;
    },
    get isIdle() {
      // A result that is not recorded yet still takes up its lane's room.
      return lanes.size === 0 && recorder.isIdle;
    },
    get isBehind() {
      return recorder.isBehind;
    },
    add: (items) => lanes.add(items),
    giveBack,
    giveBackWaiting: (since) => giveBack(lanes.takeWaiting(since)),
    cutOff() {
      cut.abort();
      recorder.giveUp();
    },
    async empty() {
      await lanes.empty();
      await recorder.drain();
    },
  };
}
