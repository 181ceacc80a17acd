/** Long work in steps: a generator that yields wherever other requests may run. */
export type Steps<Result> = Generator<void, Result>;

/** Use of the event loop by a request, in slices. */
export interface Slices {
  /** Call before work, and after a wait for something else. */
  start(): void;
  /** Call after work, so that a wait is not counted as work. */
  stop(): void;
  /** Returns true once the slice has used up its time. */
  isOver(): boolean;
  /** Ends the slice; resolves when the next one may start, and starts it. */
  next(): Promise<void>;
}

/** Slices without a limit: the work runs without a pause. */
export const atOnce: Slices = {
  start() {},
  stop() {},
  isOver: () => false,
  next: () => Promise.resolve(),
};

/** Runs the work without a pause. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Runs the work in slices of a few milliseconds, and lets other requests run in between. */
export async function runInSlices<Result>(
  steps: Steps<Result>,
  slices: Slices,
): Promise<Result> {
  slices.start();
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (slices.isOver()) await slices.next();
    }
  } finally {
    slices.stop();
  }
}

/** `items.map` in steps of one item. */
export function* mapSteps<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    yield;
  }
  return results;
}

/** Waits for a timer: a microtask would run before other requests. */
export function waitForTurn(ms = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
