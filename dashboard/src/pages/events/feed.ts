import type { TrackedEvent } from "../../api/types.ts";

/** Events that arrived after a list was read. Each is kept until it is shown. */
export interface Feed {
  /** Shown above the list. */
  shown: TrackedEvent[];
  /** IDs of the shown events that were added last. */
  added: ReadonlySet<string>;
  /** Held back while the user reads. */
  waiting: TrackedEvent[];
  /** More arrived than the feed keeps: the list must be read again from the newest event. */
  isCut: boolean;
}

/** New events found by one poll. */
export interface Arrivals {
  events: TrackedEvent[];
  /** More arrived than one poll reads. */
  isCut: boolean;
}

export const emptyFeed: Feed = { shown: [], added: new Set(), waiting: [], isCut: false };

/** The most shown events, and the most waiting events, that a feed keeps. */
export const feedLimit = 1_000;

export type FeedChange =
  | { kind: "arrive"; arrivals: Arrivals; isHeld: boolean }
  | { kind: "release" }
  | { kind: "restart" };

export function changeFeed(feed: Feed, change: FeedChange): Feed {
  if (change.kind === "restart") return emptyFeed;
  if (change.kind === "release") return release(feed);
  const { arrivals, isHeld } = change;
  const known = new Set([...feed.shown, ...feed.waiting].map(({ id }) => id));
  const fresh = arrivals.events.filter(({ id }) => !known.has(id));
  if (fresh.length === 0 && !arrivals.isCut) return feed;
  const waiting = [...fresh, ...feed.waiting];
  const isCut = feed.isCut || arrivals.isCut || waiting.length > feedLimit;
  const next = { ...feed, waiting: waiting.slice(0, feedLimit), isCut };
  return isHeld ? next : release(next);
}

/** Shows waiting events. A cut feed shows none: there would be a gap below them. */
function release(feed: Feed): Feed {
  if (feed.waiting.length === 0) return feed;
  const shown = [...feed.waiting, ...feed.shown];
  if (feed.isCut || shown.length > feedLimit) return { ...feed, isCut: true };
  const added = new Set(feed.waiting.map(({ id }) => id));
  return { shown, added, waiting: [], isCut: false };
}

interface Page {
  data: TrackedEvent[];
  next_cursor: string | null;
}

const mostPages = 5;

/** Reads from the newest event until no new ones follow, at most five pages. */
export async function readArrivals(
  readPage: (cursor: string | null) => Promise<Page>,
  isKnown: (event: TrackedEvent) => boolean,
): Promise<Arrivals> {
  const events: TrackedEvent[] = [];
  let cursor: string | null = null;
  for (let count = 0; count < mostPages; count++) {
    const page: Page = await readPage(cursor);
    const fresh = page.data.filter((event) => !isKnown(event));
    events.push(...fresh);
    cursor = page.next_cursor;
    if (cursor === null || fresh.length === 0) return { events, isCut: false };
  }
  return { events, isCut: true };
}

type Order = (a: TrackedEvent, b: TrackedEvent) => number;

/** Newest receipt first. IDs sort by that time. */
export const byReceipt: Order = (a, b) => a.id === b.id ? 0 : a.id < b.id ? 1 : -1;

/** Newest occurrence first, the order of a customer's events. */
export const byOccurrence: Order = (a, b) =>
  Date.parse(b.occurred_at) - Date.parse(a.occurred_at) || byReceipt(a, b);

/** Merges lists of events, each event once. */
export function mergeEvents(lists: TrackedEvent[][], order: Order): TrackedEvent[] {
  return [...new Map(lists.flat().map((event) => [event.id, event])).values()].sort(order);
}
