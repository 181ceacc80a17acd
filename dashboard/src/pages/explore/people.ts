import type { CellLink } from "../../charts/picture.ts";
import { narrowFilter } from "../../conditions/filter_text.ts";
import type { ExploredEvent } from "./question.ts";

interface Done {
  event: ExploredEvent;
  since: string;
  until: string;
  customers: number;
  /** False for a number that is estimated. */
  isExact: boolean;
}

/** Conditions leave out what scanners of mail did, which explorations count. */
const byScanners: readonly string[] = ["email_opened", "email_clicked"];

/**
 * Leads to the customers who did an event in a time range; undefined where a filter does not find
 * exactly those who were counted.
 */
export function linkToPeople(done: Done): CellLink | undefined {
  const { event: { event, where = [] }, since, until, customers, isExact } = done;
  if (customers === 0 || !isExact || byScanners.includes(event)) return undefined;
  const test = { event, ...where.length > 0 && { where: [...where] }, since, until };
  return {
    path: "/customers",
    search: { filter: narrowFilter(undefined, test) },
    title: "Show these customers",
  };
}
