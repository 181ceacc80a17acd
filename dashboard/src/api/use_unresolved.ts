import { useApiItem } from "./use_api.ts";

/** As many are counted; one more is read to know that there are more. */
export const mostCounted = 9;

const hourMs = 3_600_000;

interface ReadOptions {
  /** @default true */
  enabled?: boolean;
}

/** The newest open alerts. All who ask share one request. */
export function useOpenAlerts({ enabled = true }: ReadOptions = {}) {
  return useApiItem("GET /alerts", { query: { state: "open", limit: mostCounted + 1 } }, {
    enabled,
    refetchInterval: 30_000,
  });
}

/** As many rejected entries are counted. */
const mostRejected = 1_000;

/** The reasons of the entries that were rejected in the last day, and neither resent nor discarded. */
export function useRejectedToday({ enabled = true }: ReadOptions = {}) {
  // Whole hours, so that the request stays the same for a while.
  const since = new Date((Math.floor(Date.now() / hourMs) - 24) * hourMs).toISOString();
  return useApiItem("GET /rejected-entries/reasons", {
    query: { since, newest: mostRejected + 1 },
  }, { enabled, refetchInterval: 60_000 });
}

/** Writes the number of rejected entries: "12", "1,000+". */
export function countRejected(
  { entries, is_complete }: { entries: number; is_complete: boolean },
): string {
  const count = Math.min(entries, mostRejected).toLocaleString("en");
  return is_complete ? count : `${count}+`;
}

/** Writes a count that stops: "9", "9+". */
export function countUpTo(count: number): string {
  return count > mostCounted ? `${mostCounted}+` : String(count);
}
