import { countUpTo, useOpenAlerts, useRejectedToday } from "../api/use_unresolved.ts";

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
  if (path === "/alerts") return describe(alerts.data?.data.length, "open");
  if (path === "/rejected") return describe(rejected.data?.data.length, "in the last 24 hours");
  return undefined;
}

function describe(count = 0, what: string): NavigationCount | undefined {
  if (count === 0) return undefined;
  const text = countUpTo(count);
  return { text, title: `${text} ${what}` };
}
