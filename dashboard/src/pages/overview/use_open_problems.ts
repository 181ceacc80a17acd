import {
  countRejected,
  countUpTo,
  useOpenAlerts,
  useRejectedToday,
} from "../../api/use_unresolved.ts";
import type { LinkSearch } from "../../ui/link_to.ts";
import { listReasons } from "../rejected/list_reasons.ts";

/** Something besides a destination that waits for a person. */
export interface OpenProblem {
  title: string;
  /** The newest or most frequent one. */
  note: string;
  badge: string;
  color: string;
  /** Below the workspace. */
  path: string;
  search: LinkSearch;
}

/** The open alerts and the rejected entries of the last day, with the numbers of the navigation. */
export function useOpenProblems(): OpenProblem[] {
  const alerts = useOpenAlerts().data?.data ?? [];
  const rejected = useRejectedToday().data;
  const mostFrequent = rejected?.data[0];
  return [
    ...alerts.length === 0 ? [] : [{
      title: "Open alerts",
      note: alerts[0]!.message,
      badge: `${countUpTo(alerts.length)} open`,
      color: "red",
      path: "/alerts",
      search: { state: "open" },
    }],
    ...rejected === undefined || mostFrequent === undefined ? [] : [{
      title: "Rejected entries",
      note: listReasons(mostFrequent.reason).join("; "),
      badge: `${countRejected(rejected)} in 24 h`,
      color: "yellow",
      path: "/rejected",
      search: {},
    }],
  ];
}
