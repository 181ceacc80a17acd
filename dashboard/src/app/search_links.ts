import type { SearchHit } from "../api/types.ts";
import type { LinkSearch } from "../ui/link_to.ts";

/** A page below that of the workspace. */
export interface PageLink {
  path: string;
  search?: LinkSearch;
}

interface TypeText {
  label: string;
  link: (hit: { id: string; parent: string; title: string }) => PageLink;
}

/** The types of hits: the heading of several, and the page that shows one. */
export const hitTypes: Record<SearchHit["type"], TypeText> = {
  customer: { label: "Customers", link: ({ id }) => ({ path: `/customers/${id}` }) },
  event: { label: "Events", link: ({ id }) => ({ path: "/events", search: { event: id } }) },
  event_name: {
    label: "Event names",
    link: ({ title }) => ({ path: "/events", search: { name: title } }),
  },
  destination: { label: "Destinations", link: ({ id }) => ({ path: `/destinations/${id}` }) },
  message: {
    label: "Messages",
    link: ({ id }) => ({ path: "/messages", search: { message: id } }),
  },
  delivery: { label: "Deliveries", link: ({ id }) => ({ path: `/deliveries/${id}` }) },
  source: { label: "Sources", link: ({ id }) => ({ path: `/sources/${id}` }) },
  receipt: {
    label: "Received requests",
    link: ({ id, parent }) => ({ path: `/sources/${parent}`, search: { receipt: id } }),
  },
  rejected_entry: {
    label: "Rejected entries",
    link: ({ id }) => ({ path: "/rejected", search: { entry: id } }),
  },
  segment: { label: "Segments", link: ({ id }) => ({ path: `/segments/${id}` }) },
  journey: { label: "Journeys", link: ({ id }) => ({ path: `/journeys/${id}` }) },
  run: {
    label: "Journey runs",
    link: ({ id, parent }) => ({ path: `/journeys/${parent}`, search: { run: id } }),
  },
  campaign: { label: "Campaigns", link: ({ id }) => ({ path: `/campaigns/${id}` }) },
  template: { label: "Templates", link: ({ id }) => ({ path: `/templates/${id}` }) },
  topic: { label: "Topics", link: () => ({ path: "/topics" }) },
  sender: { label: "Senders", link: ({ id }) => ({ path: `/senders/${id}` }) },
  send: { label: "Sends", link: ({ id }) => ({ path: `/sends/${id}` }) },
  alert_rule: {
    label: "Alert rules",
    link: ({ id }) => ({ path: "/alerts", search: { rule: id } }),
  },
  alert: { label: "Alerts", link: () => ({ path: "/alerts" }) },
  audit_entry: {
    label: "Audit log",
    link: ({ id }) => ({ path: "/settings/audit-log", search: { entry: id } }),
  },
};

/** Returns the page that shows a hit. */
export function linkOfHit({ type, id, parent_id, title }: SearchHit): PageLink {
  return hitTypes[type].link({ id: id ?? "", parent: parent_id ?? "", title });
}
