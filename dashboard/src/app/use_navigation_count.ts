import { useApiItem } from "../api/use_api.ts";

/** A number beside a link of the navigation. */
export interface NavigationCount {
  text: string;
  /** Says what is counted. */
  title: string;
}

const most = 9;
const hourMs = 3_600_000;

/** Returns whether the link to a page has a number. */
export function isCounted(path: string): boolean {
  return path === "/alerts" || path === "/rejected";
}

/** Counts open alerts, and entries that were rejected in the last day; undefined for none. */
export function useNavigationCount(path: string): NavigationCount | undefined {
  // Those of the bell, so that both share one request.
  const alerts = useApiItem("GET /alerts", { query: { state: "open", limit: most + 1 } }, {
    enabled: path === "/alerts",
    refetchInterval: 30_000,
  });
  // Whole hours, so that the request stays the same for a while.
  const since = new Date((Math.floor(Date.now() / hourMs) - 24) * hourMs).toISOString();
  const rejected = useApiItem("GET /rejected-entries", {
    query: { resent: false, since, limit: most + 1 },
  }, { enabled: path === "/rejected", refetchInterval: 60_000 });
  if (path === "/alerts") return describe(alerts.data?.data.length, "open");
  if (path === "/rejected") return describe(rejected.data?.data.length, "in the last 24 hours");
  return undefined;
}

function describe(count = 0, what: string): NavigationCount | undefined {
  if (count === 0) return undefined;
  const text = count > most ? `${most}+` : String(count);
  return { text, title: `${text} ${what}` };
}
