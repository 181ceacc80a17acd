/** Options of `groupCalls`. */
export interface GroupCallsOptions {
  /** Most items of one call. @default 200 */
  maxItems?: number;
  /** Most concurrent calls. @default 2 */
  concurrency?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Creates a function that handles one item, in common calls: items that arrive while calls run go
 * with the next one.
 *
 * @param call returns the results in the order of its items
 */
export function groupCalls<Item, Result>(
  call: (items: readonly Item[]) => Promise<readonly Result[]>,
  { maxItems = 200, concurrency = 2 }: GroupCallsOptions = {},
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;

  async function run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await call(group.map(({ item }) => item));
      group.forEach(({ resolve }, i) => resolve(results[i]!));
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      running--;
      start();
    }
  }

  function start(): void {
    while (running < concurrency && waiting.length > 0) {
      running++;
      void run(waiting.splice(0, maxItems));
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // The other items of the same turn go along.
      queueMicrotask(start);
    });
}
