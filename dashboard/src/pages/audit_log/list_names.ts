import type { ViewedList } from "../../../../supabase/functions/api/contract/views.ts";

/** Names of the lists of which views are saved, as the navigation has them. */
export const listNames: Readonly<Record<ViewedList, string>> = {
  "audit-log": "Audit log",
  campaigns: "Campaigns",
  customers: "Customers",
  deliveries: "Deliveries",
  destinations: "Destinations",
  events: "Live events",
  explore: "Explore",
  journeys: "Journeys",
  messages: "Messages",
  "rejected-entries": "Rejected entries",
  segments: "Segments",
  sends: "Sends",
  sources: "Sources",
  suppressions: "Suppressions",
  templates: "Templates",
  topics: "Topics",
};
