import type { TrackedEvent } from "../../api/types.ts";

/** What came since a list was read; everything is kept until it is shown. */
export interface Feed {
  /** Shown above what was read. */
  shown: TrackedEvent[];
  /** Of the shown ones, those that were added last. */
  added: ReadonlySet<string>;
  /** Not shown yet, because somebody reads. */
  waiting: TrackedEvent[];
  /** More came than is kept here: what is shown next has to be read anew, from the newest on. */
  isCut: boolean;
}

/** What one look at the newest events found. */
export interface Arrivals {
  events: TrackedEvent[];
  /** There was more than one look takes in. */
  isCut: boolean;
}

export const EMPTY_FEED: Feed = { shown: [], added: new Set(), waiting: [], isCut: false };

/** How many a feed keeps, shown ones and waiting ones each. */
export const FEED_LIMIT = 1_000;

export type FeedChange =
  | { kind: "arrive"; arrivals: Arrivals; isHeld: boolean }
  | { kind: "release" }
  | { kind: "restart" };

export function changeFeed(feed: Feed, change: FeedChange): Feed {
  if (change.kind === "restart") return EMPTY_FEED;
  if (change.kind === "release") return release(feed);
  const { arrivals, isHeld } = change;
  const known = new Set([...feed.shown, ...feed.waiting].map(({ id }) => id));
  const fresh = arrivals.events.filter(({ id }) => !known.has(id));
  if (fresh.length === 0 && !arrivals.isCut) return feed;
  const waiting = [...fresh, ...feed.waiting];
  const isCut = feed.isCut || arrivals.isCut || waiting.length > FEED_LIMIT;
  const next = { ...feed, waiting: waiting.slice(0, FEED_LIMIT), isCut };
  return isHeld ? next : release(next);
}

/** Shows what waits; of a feed that is cut, nothing, since there would be a gap below it. */
function release(feed: Feed): Feed {
  if (feed.waiting.length === 0) return feed;
  const shown = [...feed.waiting, ...feed.shown];
  if (feed.isCut || shown.length > FEED_LIMIT) return { ...feed, isCut: true };
  const added = new Set(feed.waiting.map(({ id }) => id));
  return { shown, added, waiting: [], isCut: false };
}

interface Page {
  data: TrackedEvent[];
  next_cursor: string | null;
}

const MOST_PAGES = 5;

/** Reads on from the newest event until nothing new follows, or until it is too much. */
export async function readArrivals(
  readPage: (cursor: string | null) => Promise<Page>,
  isKnown: (event: TrackedEvent) => boolean,
): Promise<Arrivals> {
  const events: TrackedEvent[] = [];
  let cursor: string | null = null;
  for (let count = 0; count < MOST_PAGES; count++) {
    const page: Page = await readPage(cursor);
    const fresh = page.data.filter((event) => !isKnown(event));
    events.push(...fresh);
    cursor = page.next_cursor;
    if (cursor === null || fresh.length === 0) return { events, isCut: false };
  }
  return { events, isCut: true };
}

type Order = (a: TrackedEvent, b: TrackedEvent) => number;

/** Newest first by receipt, which an id tells: two of them compare as those times do. */
export const byReceipt: Order = (a, b) => a.id === b.id ? 0 : a.id < b.id ? 1 : -1;

/** As a customer's events are listed. */
export const byOccurrence: Order = (a, b) =>
  Date.parse(b.occurred_at) - Date.parse(a.occurred_at) || byReceipt(a, b);

/** All of them, each once. */
export function mergeEvents(lists: TrackedEvent[][], order: Order): TrackedEvent[] {
  return [...new Map(lists.flat().map((event) => [event.id, event])).values()].sort(order);
}
