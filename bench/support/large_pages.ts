import type { LargeWorkspace } from "../../testing/data/large_workspace.ts";
import {
  createPageMaker,
  type PageMaker,
  type PageSpec,
} from "../../testing/browser/pages/page_spec.ts";

/** Lists the pages of a large workspace, with a text that comes from its data. */
export function listLargePages(workspace: string, large: LargeWorkspace): PageSpec[] {
  const page = createPageMaker(workspace);
  return [
    ...listData(page, large),
    ...listAutomation(page, large),
    ...listWebhooks(page, large),
    ...listSettings(page),
  ];
}

/** Lists the explorations, which may take longer. */
export function listExplorations(workspace: string): PageSpec[] {
  const page = createPageMaker(workspace);
  const events = (...names: string[]) =>
    `events=${encodeURIComponent(JSON.stringify(names.map((event) => ({ event }))))}`;
  const pair = events("event_1", "event_2");
  return [
    page("explore trends", [`/explore?${events("event_1")}`, "Total"]),
    page("explore a property", [`/explore?${events("event_1")}&property=currency`, "Total"]),
    page("explore a funnel", [`/explore?kind=funnel&${pair}`, "1. event_1"]),
    page("explore retention", [`/explore?kind=retention&${pair}`, "Week 1"]),
    page("explore paths", [`/explore?kind=paths&${events("event_1")}`, "event_0"]),
  ];
}

function listData(page: PageMaker, large: LargeWorkspace): PageSpec[] {
  const busiest = `/customers/${large.busiestId}`;
  const filter = encodeURIComponent(
    JSON.stringify({ field: "attributes.tier", op: "eq", value: 1 }),
  );
  return [
    page("overview", ["", "Top events"]),
    page("overview, 30 days", ["?range=30d", "Top events"]),
    page("getting started", ["/getting-started", "Events are arriving"]),
    page("events", ["/events", "event_"]),
    page("event", [`/events?event=${large.eventIds[0]}`, "Raw event"]),
    page("catalogue", ["/catalogue", "event_19"]),
    page("catalogued event", ["/catalogue/event?name=event_1", "property_1"]),
    page("customers", ["/customers", "@example.com"]),
    page("customer search", ["/customers?q=ada", "@example.com"]),
    page("customer filter", [`/customers?filter=${filter}`, "@example.com"]),
    page("busiest customer", [busiest, "event_"]),
    page("their ids", [`${busiest}?tab=identities`, "Merge history"]),
    page("their devices", [`${busiest}?tab=devices`, "token-"]),
    page("their emails", [`/customers/${large.customerIds[0]}?tab=messages`, "Template "]),
    page("segments", ["/segments", "Segment "]),
    page("segment", [`/segments/${large.segmentIds[0]}`, "Member since"]),
    page("its history", [`/segments/${large.segmentIds[0]}?tab=history`, "Entered and left"]),
    page("its changes", [`/segments/${large.segmentIds[0]}?tab=changes`, "Entered"]),
    page("sources", ["/sources", "Last received"]),
    page("source", [`/sources/${large.sourceIds[0]}`, "Accepted"]),
    page("rejected entries", ["/rejected", "Invalid input"]),
  ];
}

function listAutomation(page: PageMaker, large: LargeWorkspace): PageSpec[] {
  const journey = `/journeys/${large.journeyIds[0]}`;
  return [
    page("journeys", ["/journeys", "Journey "]),
    page("journey", [`${journey}?tab=live`, "Inside now"]),
    page("its draft", [`${journey}?tab=draft`, "Draft saved"]),
    page("its runs", [`${journey}?tab=runs`, "Completed"]),
    page("campaigns", ["/campaigns", "Campaign "]),
    page("templates", ["/templates", "Template "]),
    page("topics", ["/topics", "Topic "]),
    page("suppressions", ["/suppressions", "suppressed"]),
    page("senders", ["/senders", "Sender "]),
    page("sender", [`/senders/${large.senderIds[0]}`, "Sent in 24 hours"]),
    page("sent messages", ["/sends", "ada@example.com"]),
    page("sent message", [`/sends/${large.sendIds[0]}`, "Send ID"]),
  ];
}

function listWebhooks(page: PageMaker, large: LargeWorkspace): PageSpec[] {
  return [
    page("destinations", ["/destinations", "Destination "]),
    page("new destination", ["/destinations/new", "Selected events"]),
    page("destination", [`/destinations/${large.destinationIds[0]}`, "p95 latency"]),
    page("messages", ["/messages", "Delivered"]),
    page("waiting messages", ["/messages?state=retrying", "Retrying"]),
    page("messages of a customer", [`/messages?customer_id=${large.busiestId}`, "Delivered"]),
    page("message", [`/messages?message=${large.messageIds[0]}`, "Created"]),
    page("deliveries", ["/deliveries", "Delivered"]),
    page("failed deliveries", ["/deliveries?ok=false", "Failed"]),
    page("delivery", [`/deliveries/${large.deliveryIds[0]}`, "Attempts"]),
    page("alerts", ["/alerts", "Rule "]),
  ];
}

function listSettings(page: PageMaker): PageSpec[] {
  return [
    page("api keys", ["/settings/api-keys", "Active"]),
    page("team", ["/settings/team", "@example.com"]),
    page("usage", ["/settings/usage", "The busiest"]),
    page("audit log", ["/settings/audit-log", "Edited a customer"]),
    page("settings", ["/settings", "Delete workspace"]),
  ];
}
