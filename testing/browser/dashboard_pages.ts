import type { Page } from "playwright-core";
import type { DashboardData } from "./dashboard_data.ts";

/** A page to open, and a text that shows once its content has loaded. */
export interface PageSpec {
  name: string;
  path: string;
  shows: string;
  /** Runs after opening the page. */
  act?: (page: Page) => Promise<void>;
}

/** Lists every page that needs a session, with its content. */
export function listPages(workspace: string, data: DashboardData): PageSpec[] {
  const page = (name: string, path: string, shows: string): PageSpec => ({
    name,
    path: `${workspace}${path}`,
    shows,
  });
  return [
    page("overview", "", "Top events"),
    page("getting_started", "/getting-started", "Events are arriving"),
    page("events", "/events", "order_created"),
    page("event", `/events?event=${data.eventId}`, "Raw event"),
    page("customers", "/customers", "Ada Lovelace"),
    page("customer", `/customers/${data.customerId}`, "Attributes"),
    page("identities", `/customers/${data.customerId}?tab=identities`, "Merge history"),
    page("devices", `/customers/${data.customerId}?tab=devices`, "No devices"),
    page("destinations", "/destinations", "Warehouse"),
    page("new_destination", "/destinations/new", "Selected events"),
    page("destination", `/destinations/${data.destinationId}`, "p95 latency"),
    page(
      "idle_destination",
      `/destinations/${data.destinationId}?until=2026-01-01T00:00:00Z&since=2025-12-31T00:00:00Z`,
      "No attempts in this period",
    ),
    page("messages", "/messages", "order_created"),
    page("message", `/messages?message=${data.messageId}`, "Message ID"),
    page("alerts", "/alerts", "No alert rules yet"),
    page("deliveries", "/deliveries", "Failed 500"),
    page("delivery", `/deliveries/${data.deliveryId}`, "Attempts"),
    ...listSendingPages(page, data),
    page("sources", "/sources", "Billing"),
    page("new_source", "/sources/new", "Create source"),
    page("source", `/sources/${data.sourceId}`, "msg_1"),
    page("receipt", `/sources/${data.sourceId}?receipt=${data.receiptId}`, "Result"),
    page("rejected", "/rejected", "external_id"),
    {
      ...page("rejected_entry", "/rejected", "Fix the entry"),
      act: (page) => page.getByRole("row").nth(1).getByRole("button").click(),
    },
    { ...page("time_range", "/deliveries", "Leave empty for now"), act: openTimeRange },
    page("api_keys", "/api-keys", "Active"),
    page("team", "/team", "Invite"),
    { name: "invitations", path: "/invitations", shows: "No open invitations" },
    page("usage", "/usage", "The busiest"),
    page("audit_log", "/audit-log", "destination.create"),
    page("settings", "/settings", "Delete workspace"),
    page("missing", "/nonsense", "Page not found"),
    ...listOverlays(page, data),
  ];
}

type PageMaker = (name: string, path: string, shows: string) => PageSpec;

/** Segments, and what is sent to customers. */
function listSendingPages(page: PageMaker, data: DashboardData): PageSpec[] {
  const customer = `/customers/${data.customerId}`;
  return [
    page("segments", "/segments", "Friends"),
    page("new_segment", "/segments/new", "Add condition"),
    page("edit_segment", `/segments/${data.segmentId}/edit`, "Save"),
    page("segment", `/segments/${data.segmentId}`, "Member since"),
    page("segment_history", `/segments/${data.segmentId}?tab=history`, "Entered and left"),
    page("segment_changes", `/segments/${data.segmentId}?tab=changes`, "No changes yet"),
    page("segment_explain", `/segments/${data.segmentId}?tab=explain`, "Choose a customer"),
    page("customer_journeys", `${customer}?tab=journeys`, "In no journey yet"),
    page("customer_emails", `${customer}?tab=messages`, "No emails yet"),
    page("customer_topics", `${customer}?tab=topics`, "Newsletter"),
    page("customer_segments", `${customer}?tab=segments`, "Member since"),
    page("journeys", "/journeys", "No journeys yet"),
    page("templates", "/templates", "Welcome"),
    page("template", `/templates/${data.templateId}`, "Variables"),
    page("topics", "/topics", "newsletter"),
    page("suppressions", "/suppressions", "grace@example.com"),
  ];
}

/** Menus and dialogs. */
function listOverlays(page: PageMaker, data: DashboardData): PageSpec[] {
  return [
    { ...page("new_key", "/api-keys", "Send events"), act: pressButton("New key") },
    {
      ...page("filter_customers", "/customers", "Complete the condition"),
      act: pressButton("Filter"),
    },
    { ...page("views", "/customers", "Save this view…"), act: pressButton("Views") },
    { ...page("columns", "/customers", "External ID"), act: pressButton("Columns") },
    { ...page("new_template", "/templates", "Format"), act: pressButton("New template") },
    {
      ...page("new_topic", "/topics", "Names the topic in the API"),
      act: pressButton("New topic"),
    },
    { ...page("invite", "/team", "Invite to the team"), act: pressButton("Invite") },
    {
      ...page("destination_menu", `/destinations/${data.destinationId}`, "Rotate secret"),
      act: pressButton("More actions"),
    },
    {
      ...page("workspace_menu", "/settings", "New workspace"),
      act: pressButton(/Switch workspace/),
    },
    { ...page("user_menu", "/settings", "API reference"), act: pressButton(/Theme and sign out/) },
    {
      ...page(
        "disable_destination",
        `/destinations/${data.destinationId}`,
        "Waiting messages stay",
      ),
      act: pressButton("Disable"),
    },
    {
      ...page("enable_destination", `/destinations/${data.missedId}`, "Decide later"),
      act: pressButton("Enable"),
    },
    {
      ...page("edit_customer", `/customers/${data.customerId}`, "First name"),
      act: pressButton("Edit"),
    },
    {
      ...page("erase_customer", `/customers/${data.customerId}`, "This can’t be undone"),
      act: pressButton("Erase"),
    },
  ];
}

/** The pages that need no session. */
export const publicPages: PageSpec[] = [
  { name: "sign_in", path: "/sign-in", shows: "Welcome back." },
  { name: "sign_up", path: "/sign-up", shows: "Create your account" },
  { name: "forgot_password", path: "/forgot-password", shows: "Send code" },
  { name: "reset_password", path: "/reset-password", shows: "This link doesn’t work" },
];

/** Goes to a page and waits for its content. */
export async function openSpec(page: Page, { path, shows, act }: PageSpec): Promise<void> {
  await page.goto(path);
  await act?.(page);
  await page.getByText(shows).first().waitFor();
  await page.locator(".mantine-Skeleton-root").first().waitFor({ state: "detached" });
}

async function openTimeRange(page: Page): Promise<void> {
  await page.getByRole("combobox", { name: "Time range" }).click();
  await page.getByRole("option", { name: "Custom range…" }).click();
}

function pressButton(name: string | RegExp) {
  return (page: Page) => page.getByRole("button", { name, exact: true }).first().click();
}
