import assert from "node:assert/strict";
import {
  byOccurrence,
  byReceipt,
  changeFeed,
  emptyFeed,
  type Feed,
  feedLimit,
  mergeEvents,
  readArrivals,
} from "../../dashboard/src/pages/events/feed.ts";
import type { TrackedEvent } from "../../dashboard/src/api/types.ts";

/** Returns events numbered from `last` down to `first`, in the order of a list. */
function makeEvents(first: number, last: number): TrackedEvent[] {
  return Array.from({ length: last - first + 1 }, (_, index) => makeEvent(last - index));
}

function makeEvent(number: number): TrackedEvent {
  const at = new Date(number * 1000).toISOString();
  return {
    id: String(number).padStart(6, "0"),
    kind: "event",
    customer_id: "customer",
    customer_name: "Ada",
    external_id: "user-1",
    anon_id: null,
    name: "order_created",
    occurred_at: at,
    received_at: at,
    properties: {},
    context: {},
  };
}

const idsOf = (events: TrackedEvent[]) => events.map(({ id }) => Number(id));

function arrive(feed: Feed, events: TrackedEvent[], isHeld: boolean): Feed {
  return changeFeed(feed, { kind: "arrive", arrivals: { events, isCut: false }, isHeld });
}

Deno.test("changeFeed() shows new events, marks them, and ignores duplicates", () => {
  const first = arrive(emptyFeed, makeEvents(1, 2), false);
  const second = arrive(first, makeEvents(2, 4), false);
  assert.deepEqual(idsOf(second.shown), [4, 3, 2, 1]);
  assert.deepEqual([...second.added].map(Number), [4, 3]);
});

Deno.test("changeFeed() keeps events while held and shows them on release", () => {
  let feed = arrive(emptyFeed, makeEvents(1, 3), true);
  feed = arrive(feed, makeEvents(2, 60), true);
  assert.deepEqual(feed.shown, []);
  assert.equal(feed.waiting.length, 60);
  feed = changeFeed(feed, { kind: "release" });
  assert.deepEqual(idsOf(feed.shown), idsOf(makeEvents(1, 60)));
  assert.deepEqual(feed.waiting, []);
});

Deno.test("changeFeed() shows no events above a gap", () => {
  const many = arrive(emptyFeed, makeEvents(1, feedLimit + 1), true);
  assert.equal(many.isCut, true);
  assert.equal(many.waiting.length, feedLimit);
  assert.deepEqual(changeFeed(many, { kind: "release" }).shown, []);
  const cut = changeFeed(emptyFeed, {
    kind: "arrive",
    arrivals: { events: makeEvents(8, 9), isCut: true },
    isHeld: false,
  });
  assert.deepEqual([cut.shown, cut.isCut], [[], true]);
  assert.deepEqual(changeFeed(cut, { kind: "restart" }), emptyFeed);
});

Deno.test("changeFeed() asks to read the list again at the limit of shown events", () => {
  const full = arrive(emptyFeed, makeEvents(1, feedLimit), false);
  assert.equal(full.isCut, false);
  assert.equal(arrive(full, makeEvents(feedLimit, feedLimit + 1), false).isCut, true);
});

/** Serves pages of `size` events like the api, and counts them. */
function servePages(events: TrackedEvent[], size: number) {
  const pages = { asked: 0 };
  const readPage = (cursor: string | null) => {
    pages.asked++;
    const start = Number(cursor ?? 0);
    const end = start + size;
    const next_cursor = end < events.length ? String(end) : null;
    return Promise.resolve({ data: events.slice(start, end), next_cursor });
  };
  return { pages, readPage };
}

Deno.test("readArrivals() follows cursors past a page with known events", async () => {
  const { pages, readPage } = servePages(makeEvents(1, 20), 4);
  // Events up to 15 are known, except one that was stored late.
  const isKnown = ({ id }: TrackedEvent) => Number(id) <= 15 && Number(id) !== 12;
  const found = await readArrivals(readPage, isKnown);
  assert.deepEqual(idsOf(found.events), [20, 19, 18, 17, 16, 12]);
  assert.equal(found.isCut, false);
  assert.equal(pages.asked, 4);
});

Deno.test("readArrivals() reports that there is more than it reads", async () => {
  const { pages, readPage } = servePages(makeEvents(1, 20), 2);
  const found = await readArrivals(readPage, () => false);
  assert.deepEqual([found.events.length, found.isCut, pages.asked], [10, true, 5]);
});

Deno.test("mergeEvents() returns each event once, by receipt or by occurrence", () => {
  const late = { ...makeEvent(9), occurred_at: makeEvent(2).occurred_at };
  const lists = [[late, makeEvent(3)], makeEvents(2, 3)];
  assert.deepEqual(idsOf(mergeEvents(lists, byReceipt)), [9, 3, 2]);
  assert.deepEqual(idsOf(mergeEvents(lists, byOccurrence)), [3, 9, 2]);
});
