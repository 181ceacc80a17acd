import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useReducer, useState } from "react";
import type { TrackedEvent } from "../../api/types.ts";
import { listKey, type ListQuery, listRows, useApi, useApiList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import {
  byOccurrence,
  byReceipt,
  changeFeed,
  emptyFeed,
  mergeEvents,
  readArrivals,
} from "./feed.ts";

const pollMs = 2_000;
/** A list that could not be read is tried again. */
const retryMs = 5_000;
const pollPage = 200;
/** An event that took longer to store becomes visible after later ones. */
const overlapMs = 5_000;

export interface LiveEventsOptions {
  query: {
    name?: string;
    /** False leaves out events that Signalpost stores itself. */
    service?: false;
    customer_id?: string;
    filter?: string;
    since?: string;
    until?: string;
  };
  /** Counts new events instead of showing them. */
  isHeld: boolean;
}

/**
 * Lists the newest events and adds new ones as they arrive, each once and without a gap. The list is
 * read once, page by page; new events are polled. A customer's events are in order of occurrence:
 * new ones with an old time appear when the list is read again.
 */
export function useLiveEvents({ query: filters, isHeld }: LiveEventsOptions) {
  // The count of a filtered list is not shown, and takes longer than the list.
  const query = filters.filter === undefined ? filters : { ...filters, count: false };
  const list = useApiList("GET /events", { query }, { isKept: true });
  useEffect(() => {
    if (!list.isError) return;
    const timer = setInterval(() => void list.refetch(), retryMs);
    return () => clearInterval(timer);
  }, [list.isError]);
  const [feed, change] = useReducer(changeFeed, emptyFeed);
  const [isRestarting, setRestarting] = useState(false);
  const order = isByOccurrence(query) ? byOccurrence : byReceipt;
  const rows = useMemo(
    () => mergeEvents([feed.shown, listRows(list)], order),
    [feed.shown, list.data, order],
  );
  // Events older than the last row read are not new.
  const end = list.hasNextPage ? rows.at(-1) : undefined;
  const arrivals = useArrivals(query, {
    known: [...feed.waiting, ...rows],
    isBehind: (event) => end !== undefined && order(event, end) > 0,
    isReady: list.isSuccess && !isRestarting,
  });
  useEffect(() => {
    if (arrivals.data) change({ kind: "arrive", arrivals: arrivals.data, isHeld });
  }, [arrivals.dataUpdatedAt]);

  const reread = useReread(query, list);
  const restart = async () => {
    setRestarting(true);
    if (await reread()) change({ kind: "restart" });
    setRestarting(false);
  };
  useEffect(() => {
    if (!isHeld) change({ kind: "release" });
  }, [isHeld]);
  useEffect(() => {
    if (feed.isCut && !isHeld && !isRestarting) void restart();
  }, [feed.isCut, isHeld, arrivals.dataUpdatedAt]);
  const release = () => feed.isCut ? void restart() : change({ kind: "release" });
  // Without a network, requests wait instead of failing.
  const isBroken = arrivals.isError || list.isError || arrivals.isPaused;
  return { list, rows, feed, release, isBroken, error: arrivals.error, retry: arrivals.refetch };
}

/** Returns whether the list is in order of occurrence: one customer's without a filter. */
function isByOccurrence({ customer_id, filter }: LiveEventsOptions["query"]): boolean {
  return customer_id !== undefined && filter === undefined;
}

interface ArrivalsOptions {
  known: TrackedEvent[];
  isBehind: (event: TrackedEvent) => boolean;
  isReady: boolean;
}

/** Polls for events that are not known yet. */
function useArrivals(
  query: LiveEventsOptions["query"],
  { known, isBehind, isReady }: ArrivalsOptions,
) {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  return useQuery({
    queryKey: [workspaceId, "arrivals", query],
    queryFn: ({ signal }) => {
      const ids = new Set(known.map(({ id }) => id));
      const since = isByOccurrence(query) ? query.since : startOf(known, query.since);
      return readArrivals(
        (cursor) =>
          api.call("GET /events", {
            query: { ...query, since, limit: pollPage, ...cursor ? { cursor } : {} },
            signal,
          }),
        (event) => ids.has(event.id) || isBehind(event),
      );
    },
    // A range that ends in the past is complete.
    enabled: isReady && query.until === undefined,
    refetchInterval: pollMs,
    gcTime: 0,
    structuralSharing: false,
  });
}

/** Returns a time shortly before the newest known event. */
function startOf(known: TrackedEvent[], since: string | undefined): string | undefined {
  const newest = known.reduce((time, each) => Math.max(time, Date.parse(each.received_at)), 0);
  if (newest === 0) return since;
  const start = new Date(newest - overlapMs).toISOString();
  return since !== undefined && since > start ? since : start;
}

/** Reads a list again from its first page. The rows stay visible meanwhile. */
function useReread(query: LiveEventsOptions["query"], list: ListQuery<TrackedEvent>) {
  const { id: workspaceId } = useWorkspace();
  const queries = useQueryClient();
  return async () => {
    const key = listKey(workspaceId, "GET /events", { query });
    queries.setQueryData<typeof list.data>(key, (data) =>
      data && {
        pages: data.pages.slice(0, 1),
        pageParams: data.pageParams.slice(0, 1),
      });
    return (await list.refetch()).isSuccess;
  };
}
