import type { ApiInput } from "../../api/api_client.ts";
import { useEffect, useRef, useState } from "react";
import { listRows, useApiList } from "../../api/use_api.ts";

const POLL_MS = 2_000;

export interface LiveEventsOptions {
  query: NonNullable<ApiInput<"GET /events">["query"]>;
  isPaused: boolean;
}

/**
 * The newest events, asked for again and again; `arrived` holds those that came while looking.
 * Who scrolls on to older ones is not disturbed by new ones.
 */
export function useLiveEvents({ query, isPaused }: LiveEventsOptions) {
  const events = useApiList("GET /events", { query }, {
    refetchInterval: isPaused ? false : POLL_MS,
  });
  const rows = listRows(events);
  const filter = JSON.stringify(query);
  const seen = useRef(new Set<string>());
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());

  useEffect(() => {
    seen.current = new Set();
    setArrived(new Set());
  }, [filter]);
  useEffect(() => {
    if (!events.isSuccess || events.isPlaceholderData) return;
    const fresh = rows.filter(({ id }) => !seen.current.has(id));
    if (seen.current.size > 0 && fresh.length > 0) setArrived(new Set(fresh.map(({ id }) => id)));
    for (const { id } of rows) seen.current.add(id);
  }, [rows[0]?.id, events.isSuccess, events.isPlaceholderData]);

  const isReadingOn = (events.data?.pages.length ?? 0) > 1;
  return { events, rows, arrived, isReadingOn };
}
