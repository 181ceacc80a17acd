import type { Liquid } from "liquidjs";

/** A list or a text that is too long for a filter. */
export class TooLargeError extends Error {
  override name = "TooLargeError";
}

/** Most items of a list that a filter takes. */
export const maxListItems = 10_000;
/** Most characters of the format of a date. */
const maxFormatLength = 500;

type Filter = (this: FilterThis, input: unknown, ...args: unknown[]) => unknown;

interface FilterThis {
  context: {
    renderLimit: { check(now: number): void };
    /** Variables of the rendering. */
    environments: { now?: unknown };
  };
}

/**
 * Bounds the filters of an engine, because the engine checks its own time limit only between tags.
 * A filter takes lists of at most 10,000 items, and checks the time at each item. Rendering also
 * becomes repeatable: `"now"` is the variable `now`, and `sample`, which takes a random item, is
 * removed.
 */
export function boundFilters(engine: Liquid): void {
  delete engine.filters.sample;
  const filters = engine.filters as Record<string, Filter | { handler: Filter }>;
  for (const [name, filter] of Object.entries(filters)) {
    filters[name] = typeof filter === "function"
      ? boundFilter(name, filter)
      : { ...filter, handler: boundFilter(name, filter.handler) };
  }
}

function boundFilter(name: string, filter: Filter): Filter {
  return function (input, ...args) {
    const { renderLimit, environments } = this.context;
    const check = () => renderLimit.check(performance.now());
    check();
    if (Array.isArray(input)) return filter.call(this, watch(input, check), ...args);
    if (!name.startsWith("date")) return filter.call(this, input, ...args);
    if (`${args[0] ?? ""}`.length > maxFormatLength) {
      throw new TooLargeError(`Format of a date has over ${maxFormatLength} characters`);
    }
    const isNow = input === "now" || input === "today";
    return filter.call(this, isNow ? environments.now ?? input : input, ...args);
  };
}

/** Copies a list. Iterating over the copy throws an error once the time is over. */
function watch(list: readonly unknown[], check: () => void): unknown[] {
  if (list.length > maxListItems) {
    throw new TooLargeError(`A filter takes at most ${maxListItems} items`);
  }
  const copy = [...list];
  Object.defineProperty(copy, Symbol.iterator, {
    *value() {
      for (let i = 0; i < copy.length; i++) {
        check();
        yield copy[i];
      }
    },
  });
  return copy;
}
