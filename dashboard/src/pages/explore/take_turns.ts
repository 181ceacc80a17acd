/** Runs a task in its turn, unless its signal is aborted before. */
export type TakeTurn = <Value>(task: () => Promise<Value>, signal: AbortSignal) => Promise<Value>;

/** Makes a queue of tasks, of which so many run at once; the others wait in the order they came. */
export function createTurns(most: number): TakeTurn {
  let free = most;
  const waiting = new Set<() => void>();
  const wait = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        waiting.delete(begin);
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(begin);
        reject(signal.reason);
      };
      waiting.add(begin);
      signal.addEventListener("abort", leave, { once: true });
    });
  return async (task, signal) => {
    signal.throwIfAborted();
    // A task that ends gives its place to the first one that waits.
    if (free > 0) free--;
    else await wait(signal);
    try {
      return await task();
    } finally {
      const [next] = waiting;
      if (next) next();
      else free++;
    }
  };
}
