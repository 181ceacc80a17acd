import type { Page } from "playwright-core";
import type { PagesData } from "./fill_pages.ts";
import {
  anyTime,
  createPageMaker,
  type PageMaker,
  type PageSpec,
  pressButton,
  pressItem,
} from "./page_spec.ts";

/** Sources, destinations, messages and alerts, with their menus, drawers and dialogs. */
export function listWebhookPages(workspace: string, data: PagesData): PageSpec[] {
  const page = createPageMaker(workspace);
  return [
    ...listSourcePages(page, data),
    ...listDestinationPages(page, data),
    ...listMessagePages(page, data),
  ];
}

function listSourcePages(page: PageMaker, { sourceId, receiptId }: PagesData): PageSpec[] {
  const source = `/sources/${sourceId}`;
  return [
    page("sources", ["/sources", "Billing"]),
    page("choose_sender", ["/sources/new", "Shops and payments"]),
    page("new_source", ["/sources/new?sender=linear", "Create source"]),
    page("source", [source, "msg_1"]),
    page("receipt", [`${source}?receipt=${receiptId}`, "Result"]),
    page("source_rejected", [`${source}?tab=rejected`, "Rejected"]),
    page("try_mapping", [`${source}?tab=try`, "Received request"], async (page) => {
      await page.getByText('"invoice').filter({ visible: true }).first().waitFor();
      await pressButton("Test")(page);
    }),
    page("source_settings", [`${source}?tab=settings`, "Source ID"]),
    page("source_menu", [source, "Delete"], pressButton("More actions")),
    page("edit_source", [source, "Edit source"], pressButton("Edit")),
    page(
      "source_secret",
      [source, "Rotate the secret"],
      pressItem("More actions", "Rotate secret"),
    ),
    page("delete_source", [source, "to confirm"], pressItem("More actions", "Delete")),
    page("rejected", ["/rejected", "external_id"]),
    page(
      "rejected_entry",
      ["/rejected", "Fix the entry"],
      (page) => page.getByRole("row").nth(1).getByRole("button").click(),
    ),
    page("resend_rejected", ["/rejected", "Resend 1 entry?"], async (page) => {
      await page.getByRole("checkbox", { name: "Select all loaded rows" }).check();
      await page.getByRole("button", { name: "Resend", exact: true }).click();
    }),
  ];
}

const longAgo = "until=2026-01-01T00:00:00Z&since=2025-12-31T00:00:00Z";

function listDestinationPages(page: PageMaker, data: PagesData): PageSpec[] {
  const destination = `/destinations/${data.destinationId}`;
  const filtered = `/destinations/${data.filteredId}`;
  const more = (item: string) => pressItem("More actions", item);
  return [
    page("destinations", ["/destinations", "Warehouse"]),
    page("new_destination", ["/destinations/new", "Selected events"]),
    page("destination", [destination, "p95 latency"]),
    page("idle_destination", [`${destination}?${longAgo}`, "No attempts in this period"]),
    page("filtered_destination", [filtered, "X-Ledger-Team"]),
    page("edit_filtered_destination", [filtered, "Replace"], pressButton("Edit")),
    page("destination_menu", [destination, "Rotate secret"], pressButton("More actions")),
    page("resend_failed", [destination, "Resend failed messages"], more("Resend failed")),
    page("deliver_missed", [destination, "Deliver missed messages"], more("Deliver missed")),
    page("edit_destination", [destination, "Endpoint URL"], pressButton("Edit")),
    page("rotate_secret", [destination, "Rotate the signing secret"], more("Rotate secret")),
    page("delete_destination", [destination, "to confirm"], more("Delete")),
    page("ping", [destination, "Show the delivery"], pressButton("Send test ping")),
    page(
      "disable_destination",
      [destination, "Waiting messages are sent once you enable it"],
      pressButton("Disable"),
    ),
    page(
      "enable_destination",
      [`/destinations/${data.missedId}`, "Decide later"],
      pressButton("Enable"),
    ),
  ];
}

function listMessagePages(page: PageMaker, data: PagesData): PageSpec[] {
  return [
    page("messages", ["/messages", anyTime]),
    page("messages_of_customer", [
      `/messages?customer_id=${data.customerId}&state=delivered,missed`,
      anyTime,
    ]),
    page("message", [`/messages?message=${data.messageId}`, "Message ID"]),
    page("deliveries", ["/deliveries", "Failed 500"]),
    page("time_range", ["/deliveries", "Until now if empty"], openTimeRange),
    page("delivery", [`/deliveries/${data.deliveryId}`, "Attempts"]),
    page("alerts", ["/alerts", "Warehouse is down"]),
    page("new_rule", ["/alerts", "New alert rule"], pressButton("New rule")),
    page(
      "rule_menu",
      ["/alerts", "Send a test alert"],
      pressButton("Actions for Warehouse is down"),
    ),
    page(
      "delete_rule",
      ["/alerts", "Its open alerts are resolved"],
      pressItem("Actions for Warehouse is down", "Delete"),
    ),
  ];
}

async function openTimeRange(page: Page): Promise<void> {
  await page.getByRole("combobox", { name: "Time range" }).click();
  await page.getByRole("option", { name: "Custom range…" }).click();
}
