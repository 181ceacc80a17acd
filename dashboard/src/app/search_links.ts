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

/** The types of hits: their name, and the page that shows one. */
export const hitTypes: Record<SearchHit["type"], TypeText> = {
  customer: { label: "Customer", link: ({ id }) => ({ path: `/customers/${id}` }) },
  event: { label: "Event", link: ({ id }) => ({ path: "/events", search: { event: id } }) },
  event_name: {
    label: "Event name",
    link: ({ title }) => ({ path: "/events", search: { name: title } }),
  },
  destination: { label: "Destination", link: ({ id }) => ({ path: `/destinations/${id}` }) },
  message: {
    label: "Message",
    link: ({ id }) => ({ path: "/messages", search: { message: id } }),
  },
  delivery: { label: "Delivery", link: ({ id }) => ({ path: `/deliveries/${id}` }) },
  source: { label: "Source", link: ({ id }) => ({ path: `/sources/${id}` }) },
  receipt: {
    label: "Received request",
    link: ({ id, parent }) => ({ path: `/sources/${parent}`, search: { receipt: id } }),
  },
  rejected_entry: {
    label: "Rejected entry",
    link: ({ id }) => ({ path: "/rejected", search: { entry: id } }),
  },
  segment: { label: "Segment", link: ({ id }) => ({ path: `/segments/${id}` }) },
  journey: { label: "Journey", link: ({ id }) => ({ path: `/journeys/${id}` }) },
  run: {
    label: "Journey run",
    link: ({ id, parent }) => ({ path: `/journeys/${parent}`, search: { run: id } }),
  },
  campaign: { label: "Campaign", link: ({ id }) => ({ path: `/campaigns/${id}` }) },
  template: { label: "Template", link: ({ id }) => ({ path: `/templates/${id}` }) },
  topic: { label: "Topic", link: () => ({ path: "/topics" }) },
  sender: { label: "Sender", link: ({ id }) => ({ path: `/senders/${id}` }) },
  send: { label: "Send", link: ({ id }) => ({ path: `/sends/${id}` }) },
  alert_rule: {
    label: "Alert rule",
    link: ({ id }) => ({ path: "/alerts", search: { rule: id } }),
  },
  alert: { label: "Alert", link: () => ({ path: "/alerts" }) },
  audit_entry: {
    label: "Audit log",
    link: ({ id }) => ({ path: "/settings/audit-log", search: { entry: id } }),
  },
};

/** Returns the page that shows a hit. */
export function linkOfHit({ type, id, parent_id, title }: SearchHit): PageLink {
  return hitTypes[type].link({ id: id ?? "", parent: parent_id ?? "", title });
}
