import type { ApiBody } from "../../api/use_api.ts";

/** The kinds of exploration. */
export const kinds = [
  { value: "counts", label: "Trends" },
  { value: "funnel", label: "Funnel" },
  { value: "retention", label: "Retention" },
  { value: "paths", label: "Paths" },
] as const;

export type Kind = (typeof kinds)[number]["value"];
type Counts = ApiBody<"POST /explore/counts">;
/** An event name with tests of its properties. */
export type ExploredEvent = Counts["event"];
/** A test of a property. */
export type Test = NonNullable<ExploredEvent["where"]>[number];

/** Measures of trends, as the page names them. */
export const measures = [
  { value: "events", label: "Events" },
  { value: "customers", label: "Unique customers" },
  { value: "sum", label: "Sum of a property" },
  { value: "average", label: "Average of a property" },
] as const;

/** Returns whether a measure adds up the numbers of a property. */
export function addsUp(measure: string | undefined): measure is "sum" | "average" {
  return measure === "sum" || measure === "average";
}

/** The ways to test a property. */
export const operators = [
  { value: "eq", label: "is" },
  { value: "neq", label: "is not" },
  { value: "gt", label: "greater than" },
  { value: "lt", label: "less than" },
  { value: "contains", label: "contains" },
  { value: "exists", label: "is set" },
  { value: "not_exists", label: "is not set" },
];

/** The lengths of time to choose from. */
export const lengths = [
  { value: "1h", label: "1 hour" },
  { value: "1d", label: "1 day" },
  { value: "7d", label: "7 days" },
  { value: "30d", label: "30 days" },
  { value: "90d", label: "90 days" },
];

/** The question as it stands in the page's address. */
export interface Address {
  kind?: string;
  /** A JSON list of events. */
  events?: string;
  measure?: string;
  /** The property whose numbers are added up. */
  value?: string;
  interval?: string;
  property?: string;
  top?: string;
  within?: string;
  periods?: string;
  depth?: string;
}

/** The time range of an address without one. */
export const usualRange = "30d";

/** A trend, and the events that it is compared with. */
export interface CountsQuestion {
  kind: "counts";
  body: Counts;
  compared: ExploredEvent[];
}

/** A question to the api. */
export type Question =
  | CountsQuestion
  | { kind: "funnel"; body: ApiBody<"POST /explore/funnel"> }
  | { kind: "retention"; body: ApiBody<"POST /explore/retention"> }
  | { kind: "paths"; body: ApiBody<"POST /explore/paths"> };

/** Number of events that a kind asks about: the fewest and the most. */
export const eventCounts: Record<Kind, [fewest: number, most: number]> = {
  counts: [1, 5],
  funnel: [2, 8],
  retention: [2, 2],
  paths: [1, 1],
};

/** Returns the kind of an address. */
export function readKind({ kind }: Address): Kind {
  return kinds.find(({ value }) => value === kind)?.value ?? "counts";
}

/** Returns the events of an address, filled up with empty ones; those that are malformed are left out. */
export function readEvents(address: Address): ExploredEvent[] {
  const [fewest, most] = eventCounts[readKind(address)];
  const events = parseEvents(address.events).slice(0, most);
  while (events.length < fewest) events.push({ event: "" });
  return events;
}

function parseEvents(text = "[]"): ExploredEvent[] {
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return [];
    return list.filter((item) => typeof item?.event === "string");
  } catch {
    return [];
  }
}

/** Returns whether the events of an address are chosen, but not the property to add up. */
export function lacksValue(address: Address): boolean {
  return readKind(address) === "counts" && addsUp(address.measure) && !address.value &&
    readEvents(address).every(({ event }) => event !== "");
}

/** Returns the question of an address; undefined while an event or the property is not chosen. */
export function readQuestion(
  address: Address,
  { since, until = new Date().toISOString() }: { since: string; until?: string | undefined },
): Question | undefined {
  const kind = readKind(address);
  const events = readEvents(address);
  const [first, ...others] = events;
  if (first === undefined || events.some(({ event }) => event === "")) return undefined;
  if (lacksValue(address)) return undefined;
  const range = { since, until };
  switch (kind) {
    case "counts":
      return {
        kind,
        body: { event: first, ...readCounts(address, others.length), ...range },
        compared: others,
      };
    case "funnel":
      return { kind, body: { steps: events, within: address.within ?? "7d", ...range } };
    case "retention":
      return {
        kind,
        body: { start: first, return: others[0] ?? first, ...readPeriods(address), ...range },
      };
    case "paths":
      return {
        kind,
        body: {
          start: first,
          within: address.within ?? "1d",
          depth: Number(address.depth ?? 3),
          top: Number(address.top ?? 5),
          ...range,
        },
      };
  }
}

/** Lists the events of a trend. */
export function listEvents({ body, compared }: CountsQuestion): ExploredEvent[] {
  return [body.event, ...compared];
}

/** The name of the event that a question starts with. */
export function firstEventOf({ kind, body }: Question): string {
  if (kind === "counts") return body.event.event;
  return kind === "funnel" ? body.steps[0]?.event ?? "" : body.start.event;
}

/** Events that are compared are not split. */
function readCounts({ measure, value, interval, property, top }: Address, compared: number) {
  return {
    measure: pick(measure, measures.map(({ value }) => value), "events"),
    ...addsUp(measure) ? { value } : {},
    interval: pick(interval, ["hour", "day", "week", "month"], "day"),
    ...property === undefined || compared > 0 ? {} : { property, top: Number(top ?? 5) },
  } as const;
}

/** The numbers of periods to choose from. */
export const periodCounts = ["4", "8", "12", "24", "31"] as const;

function readPeriods({ interval, periods }: Address) {
  return {
    interval: pick(interval, ["day", "week", "month"], "week"),
    periods: Number(pick(periods, periodCounts, "8")),
  };
}

function pick<const Word extends string>(
  word: string | undefined,
  words: readonly Word[],
  usual: Word,
): Word {
  return words.find((each) => each === word) ?? usual;
}

/** Reads what a person typed as the value of a test: a number, true or false, else a text. */
export function readValue(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}
