/** An event as the models see it: of a customer, with the identities merged. */
export interface ModelEvent {
  id: string;
  name: string;
  at: number;
  customerId: string;
  properties: Record<string, unknown>;
}

/** An event name with one test of a property. */
export interface ModelSource {
  event: string;
  where?: { property: string; op: "eq"; value: unknown }[];
}

/** Half-open range in milliseconds. */
export interface ModelSpan {
  since: number;
  until: number;
}

/** Lists the events of a source, in order. */
export function select(
  events: readonly ModelEvent[],
  { event, where = [] }: ModelSource,
): ModelEvent[] {
  return inOrder(
    events.filter(({ name, properties }) =>
      name === event && where.every(({ property, value }) => properties[property] === value)
    ),
  );
}

function inOrder(events: readonly ModelEvent[]): ModelEvent[] {
  return events.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

function within(events: readonly ModelEvent[], { since, until }: ModelSpan): ModelEvent[] {
  return events.filter(({ at }) => at >= since && at < until);
}

function isAfter(event: ModelEvent, other: ModelEvent): boolean {
  return event.at > other.at || (event.at === other.at && event.id > other.id);
}

/** Returns the length of every passage from a start through all of these steps, by brute force. */
function findPassages(
  lists: readonly ModelEvent[][],
  start: ModelEvent,
  withinMs: number,
): ModelEvent[] {
  let ends = [start];
  for (const list of lists.slice(1)) {
    ends = list.filter((event) =>
      event.at <= start.at + withinMs && ends.some((end) => isAfter(event, end))
    );
  }
  return ends;
}

/** Per step of a funnel: customers, and the median of the seconds until each one's first arrival. */
export function modelFunnel(
  events: readonly ModelEvent[],
  { steps, withinMs, span }: { steps: ModelSource[]; withinMs: number; span: ModelSpan },
) {
  const customers = [...new Set(events.map(({ customerId }) => customerId))];
  return steps.map((_, last) => {
    const seconds = customers.flatMap((customer) => {
      const own = events.filter(({ customerId }) => customerId === customer);
      const lists = steps.slice(0, last + 1).map((step) => select(own, step));
      const starts = within(lists[0]!, span);
      const arrivals = starts.flatMap((start) =>
        findPassages(lists, start, withinMs).map((end) => ({ start, end }))
      );
      const first = inOrder(arrivals.map(({ end }) => end))[0];
      if (first === undefined) return [];
      const latest = Math.max(
        ...arrivals.filter(({ end }) => end.id === first.id).map(({ start }) => start.at),
      );
      return [(first.at - latest) / 1000];
    });
    return { customers: seconds.length, median_seconds: median(seconds) };
  });
}

function median(numbers: number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null;
}

/** Returns the number of the interval that contains a time; -1 before the first. */
function placeOf(at: number, starts: readonly number[]): number {
  return starts.findLastIndex((start) => start <= at);
}

/** A measure of trends, with the property whose numbers it adds up. */
export interface ModelMeasure {
  measure: "events" | "customers" | "sum" | "average";
  /** A path of names with dots between them. */
  value?: string | undefined;
}

/** Returns the number at a path; undefined for a value of another type. */
function numberAt({ properties }: ModelEvent, path: string): number | undefined {
  let found: unknown = properties;
  for (const name of path.split(".")) found = (found as Record<string, unknown> | null)?.[name];
  return typeof found === "number" ? found : undefined;
}

/** Adds up numbers of at most two decimals exactly. */
function addCents(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + Math.round(number * 100), 0) / 100;
}

function measureEvents(some: readonly ModelEvent[], { measure, value }: ModelMeasure) {
  if (measure === "events") return some.length;
  if (measure === "customers") return new Set(some.map(({ customerId }) => customerId)).size;
  const sum = addCents(some.map((event) => numberAt(event, value!)!));
  if (measure === "sum") return sum;
  return some.length === 0 ? null : sum / some.length;
}

/** Measures events by value over the intervals: the values that weigh most, other, missing. */
export function modelCounts(
  events: readonly ModelEvent[],
  { source, starts, until, property, measured }: {
    source: ModelSource;
    starts: readonly number[];
    until: number;
    property?: string | undefined;
    measured: ModelMeasure;
  },
) {
  const { measure, value } = measured;
  const found = within(select(events, source), { since: starts[0]!, until })
    .filter((event) => value === undefined || numberAt(event, value) !== undefined);
  const count = (some: readonly ModelEvent[]) => measureEvents(some, measured);
  const weigh = (some: readonly ModelEvent[]) =>
    measure === "average" ? some.length : count(some) ?? 0;
  const valueOf = ({ properties }: ModelEvent) =>
    property === undefined ? undefined : JSON.stringify(properties[property] ?? null);
  const groups = Map.groupBy(found, valueOf);
  const weights = [...groups.entries()].filter(([value]) => value !== "null")
    .map(([, some]) => weigh(some)).sort((a, b) => b - a);
  return {
    found,
    groups,
    weights,
    count,
    weigh,
    over: (some: readonly ModelEvent[]) =>
      starts.map((_, place) => count(some.filter(({ at }) => placeOf(at, starts) === place))),
  };
}

/** Cohorts by the period of the first event ever. */
export function modelRetention(
  events: readonly ModelEvent[],
  { start, back, starts, cohorts, periods, until }: {
    start: ModelSource;
    back: ModelSource;
    starts: readonly number[];
    cohorts: number;
    periods: number;
    until: number;
  },
) {
  const firsts = new Map<string, number>();
  for (const { customerId, at } of select(events, start)) {
    if (at < until) firsts.set(customerId, Math.min(at, firsts.get(customerId) ?? Infinity));
  }
  const returns = select(events, back);
  return Array.from({ length: cohorts }, (_, place) => {
    const members = [...firsts].filter(([, at]) => placeOf(at, starts) === place);
    return {
      customers: members.length,
      returned: Array.from(
        { length: periods + 1 },
        (_, after) =>
          members.filter(([id, first]) =>
            returns.some(({ customerId, at }) =>
              customerId === id && at >= first && placeOf(at, starts) === place + after
            )
          ).length,
      ),
    };
  });
}

/** The names of the next events of each customer after the first start in the range, without repeats in a row. */
export function modelPaths(
  events: readonly ModelEvent[],
  { start, withinMs, depth, span }: {
    start: ModelSource;
    withinMs: number;
    depth: number;
    span: ModelSpan;
  },
): string[][] {
  const customers = [...new Set(events.map(({ customerId }) => customerId))];
  return customers.flatMap((customer) => {
    const own = events.filter(({ customerId }) => customerId === customer);
    const first = within(select(own, start), span)[0];
    if (first === undefined) return [];
    const names = inOrder(own)
      .filter((event) => isAfter(event, first) && event.at <= first.at + withinMs)
      .map(({ name }) => name);
    const isRepeat = (name: string, index: number) => name === (names[index - 1] ?? start.event);
    return [names.filter((name, index) => !isRepeat(name, index)).slice(0, depth)];
  });
}
