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

/** The newest entries that were rejected in the last day and not resent. */
export function useRejectedToday({ enabled = true }: ReadOptions = {}) {
  // Whole hours, so that the request stays the same for a while.
  const since = new Date((Math.floor(Date.now() / hourMs) - 24) * hourMs).toISOString();
  return useApiItem("GET /rejected-entries", {
    query: { resent: false, since, limit: mostCounted + 1 },
  }, { enabled, refetchInterval: 60_000 });
}

/** Writes a count that stops: "9", "9+". */
export function countUpTo(count: number): string {
  return count > mostCounted ? `${mostCounted}+` : String(count);
}
