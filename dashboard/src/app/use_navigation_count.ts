import {
  countRejected,
  countUpTo,
  useOpenAlerts,
  useRejectedToday,
} from "../api/use_unresolved.ts";

/** A number beside a link of the navigation. */
export interface NavigationCount {
  text: string;
  /** Says what is counted. */
  title: string;
}

/** Returns whether the link to a page has a number. */
export function isCounted(path: string): boolean {
  return path === "/alerts" || path === "/rejected";
}

/** Counts open alerts, and entries that were rejected in the last day; undefined for none. */
export function useNavigationCount(path: string): NavigationCount | undefined {
  const alerts = useOpenAlerts({ enabled: path === "/alerts" });
  const rejected = useRejectedToday({ enabled: path === "/rejected" });
  if (path === "/alerts" && alerts.data) {
    const { length } = alerts.data.data;
    return length === 0 ? undefined : describe(countUpTo(length), "open");
  }
  if (path !== "/rejected" || !rejected.data || rejected.data.entries === 0) return undefined;
  return describe(countRejected(rejected.data), "in the last 24 hours");
}

function describe(text: string, what: string): NavigationCount {
  return { text, title: `${text} ${what}` };
}
