/** How long one request may keep the event loop for itself, in ms. */
const sliceMs = 5;

/**
 * `map` that lets other requests run every few milliseconds.
 *
 * @param clock in ms; default: the process's own
 */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
  clock: () => number = () => performance.now(),
): Promise<Result[]> {
  const results: Result[] = [];
  let start = clock();
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    if (clock() - start < sliceMs) continue;
    await waitForTurn();
    start = clock();
  }
  return results;
}

/** A timer, not a microtask: those run before anything else gets its turn. */
export function waitForTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
