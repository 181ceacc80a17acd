import type { z } from "zod";
import { listAuditLog } from "../audit_log/list_audit_log.ts";
import { listCampaigns } from "../campaigns/list_campaigns.ts";
import { findCombined } from "../customers/find_combined.ts";
import { listCustomers } from "../customers/list_customers.ts";
import { listDeliveries } from "../deliveries/list_deliveries.ts";
import { listDestinations } from "../destinations/list_destinations.ts";
import { listEvents } from "../events/list_events.ts";
import { listJourneys } from "../journeys/list_journeys.ts";
import { listMessages } from "../messages/list_messages.ts";
import { listRejectedEntries } from "../rejected_entries/list_rejected_entries.ts";
import { listSegments } from "../segments/list_segments.ts";
import { listSends } from "../sends/list_sends.ts";
import { listSources } from "../sources/list_sources.ts";
import { listSuppressions } from "../suppressions/list_suppressions.ts";
import { listTemplates } from "../templates/list_templates.ts";
import { listTopics } from "../topics/list_topics.ts";
import { type ErrorDetail, invalidInput } from "../../../_shared/errors/errors.ts";
import { validate } from "../../../_shared/entries/validate.ts";
import { formatPath } from "../../../_shared/json/json.ts";
import { exploredPage } from "../../contract/explore.ts";
import { paging } from "../../contract/fields.ts";
import type { ViewedList } from "../../contract/views.ts";

const routes: Record<ViewedList, { query: z.ZodObject }> = {
  "audit-log": listAuditLog,
  campaigns: listCampaigns,
  customers: listCustomers,
  deliveries: listDeliveries,
  destinations: listDestinations,
  events: listEvents,
  explore: { query: exploredPage },
  journeys: listJourneys,
  messages: listMessages,
  "rejected-entries": listRejectedEntries,
  segments: listSegments,
  sends: listSends,
  sources: listSources,
  suppressions: listSuppressions,
  templates: listTemplates,
  topics: listTopics,
};

/** Lists whose columns can be chosen. */
const listsWithColumns: readonly ViewedList[] = ["customers", "sends"];

/** Times until now, by the names that the dashboard gives them. */
const ranges = ["24h", "7d", "30d"];

interface Checked {
  filters?: Readonly<Record<string, string>> | undefined;
  columns?: readonly string[] | null | undefined;
  board?: string | null | undefined;
}

/** Throws `invalid_input` for filters and columns that a list does not have or does not accept. */
export function checkView(list: ViewedList, { filters = {}, columns, board }: Checked): void {
  const known = listFilters(list);
  const unknown = Object.keys(filters)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: formatPath(["filters", name]),
      message: `must be a filter of the list "${list}": ${known.join(", ")}`,
    }));
  const details: ErrorDetail[] = unknown.length > 0 ? unknown : findRefused(list, filters);
  if (columns && !listsWithColumns.includes(list)) {
    const message = `must be null: the columns of the list "${list}" cannot be chosen`;
    details.push({ field: "columns", message });
  } else if (columns && new Set(columns).size < columns.length) {
    details.push({ field: "columns", message: "must not repeat a column" });
  }
  if (board && list !== "explore") {
    details.push({ field: "board", message: 'must be null: only the list "explore" has boards' });
  }
  if (details.length > 0) throw invalidInput(details);
}

/** Finds the filters that a call of the list would refuse. */
function findRefused(list: ViewedList, filters: Readonly<Record<string, string>>): ErrorDetail[] {
  const { range, ...query } = filters;
  const checked = validate(routes[list].query, query, ["filters"]);
  const combined = list === "customers" ? findCombined(query) : [];
  const refused = checked.ok
    ? combined.map(({ field, message }) => ({ field: `filters.${field}`, message }))
    : [...checked.details];
  const fault = range === undefined ? undefined : findRangeFault(range, query);
  return fault === undefined ? refused : [...refused, { field: "filters.range", message: fault }];
}

function findRangeFault(range: string, { since, until }: Record<string, string>) {
  if (!ranges.includes(range)) {
    return `must be one of ${ranges.map((each) => `"${each}"`).join(", ")}`;
  }
  if (since !== undefined || until !== undefined) {
    return 'must not be combined with "since" or "until"';
  }
}

/** Lists the parameters of a list without those of a page, and the dashboard's own. */
function listFilters(list: ViewedList): string[] {
  const names = Object.keys(routes[list].query.shape).filter((name) => !(name in paging));
  return names.includes("since") ? [...names, "range"].sort() : names.sort();
}
