/** What each scope allows, in words. */
export const SCOPES: { value: string; label: string; text: string }[] = [
  {
    value: "track:write",
    label: "Send events",
    text: "Events, identifies and aliases. Safe to expose in apps.",
  },
  {
    value: "customers:read",
    label: "Read customers",
    text: "Profiles, ids, timelines and devices.",
  },
  { value: "customers:write", label: "Change customers", text: "Edit and erase customers." },
  { value: "events:read", label: "Read events", text: "Events and usage figures." },
  {
    value: "destinations:read",
    label: "Read destinations",
    text: "Addresses, health and event types.",
  },
  {
    value: "destinations:write",
    label: "Change destinations",
    text: "Create, edit, test and replay.",
  },
  { value: "deliveries:read", label: "Read deliveries", text: "The log, with bodies and answers." },
  { value: "deliveries:write", label: "Replay deliveries", text: "Send a delivery again." },
  { value: "sources:read", label: "Read sources", text: "Inbound webhooks and their receipts." },
  { value: "sources:write", label: "Change sources", text: "Create, edit and rotate." },
];
