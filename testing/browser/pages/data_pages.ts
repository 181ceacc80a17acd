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

/** The pages of events and customers, with their menus, drawers and dialogs. */
export function listDataPages(workspace: string, data: PagesData): PageSpec[] {
  const page = createPageMaker(workspace);
  return [
    page("overview", ["", "Top events"]),
    page("getting_started", ["/getting-started", "Events are arriving"]),
    ...listEventPages(page, data),
    ...listCustomerPages(page, data),
    ...listSegmentPages(page, data),
  ];
}

const order = encodeURIComponent(JSON.stringify([{ event: "order_created" }]));
const twoSteps = encodeURIComponent(
  JSON.stringify([{ event: "product_viewed" }, { event: "checkout_started" }]),
);

function listEventPages(page: PageMaker, data: PagesData): PageSpec[] {
  return [
    page("events", ["/events", anyTime]),
    page("event", [`/events?event=${data.eventId}`, "Raw event"]),
    page("filter_events", ["/events", "Add a condition"], pressButton("Filter")),
    page("catalogue", ["/catalogue", "order_created"]),
    page("catalogued_event", ["/catalogue/event?name=order_created", "Events per day"]),
    page(
      "describe_event",
      ["/catalogue/event?name=order_created", "Mark unexpected properties"],
      pressButton("Describe"),
    ),
    page("explore", ["/explore", "Total"]),
    page("explore_choice", ["/explore?events=%5B%5D", "Choose an event"]),
    page("explore_counts", [`/explore?events=${order}&property=total`, "Total"]),
    page("explore_sum", [
      `/explore?events=${order}&measure=sum&value=total`,
      "Sum of total of order_created",
    ]),
    page("explore_compare", [`/explore?events=${twoSteps}`, "product_viewed, checkout_started"]),
    page("explore_value", [`/explore?events=${order}&measure=average`, "Choose a property"]),
    page("explore_funnel", [`/explore?kind=funnel&events=${twoSteps}`, "1. product_viewed"]),
    page("explore_retention", [`/explore?kind=retention&events=${twoSteps}`, "Week 1"]),
    page(
      "explore_save",
      [`/explore?events=${order}`, "It saves the question and its time range."],
      pressButton("Save question"),
    ),
    page("explore_board", ["/explore/board", "What follows an order"]),
    page("explore_paths", [`/explore?kind=paths&events=${order}`, "First event"]),
  ];
}

function listCustomerPages(page: PageMaker, data: PagesData): PageSpec[] {
  const customer = `/customers/${data.customerId}`;
  const reached = `/customers/${data.reachedId}`;
  return [
    page("customers", ["/customers", anyTime]),
    page("filter_customers", ["/customers", "Add a condition"], pressButton("Filter")),
    page("views", ["/customers", "Save this view…"], pressButton("Views")),
    page("save_view", ["/customers", "Save view"], pressItem("Views", "Save this view…")),
    page("columns", ["/customers", "plan"], pressButton("Columns")),
    page("export", ["/customers", "NDJSON"], pressButton("Export")),
    page("selected_customers", ["/customers", "customers selected"], selectAll),
    page("add_to_segment", ["/customers", "Static segment"], async (page) => {
      await selectAll(page);
      await page.getByRole("button", { name: "Add to segment" }).click();
    }),
    page("customer", [customer, "Attributes"]),
    page("customer_journeys", [`${reached}?tab=journeys`, "Onboarding"]),
    page("customer_emails", [`${reached}?tab=messages`, "Campaign: "]),
    page("customer_webhooks", [`${customer}?tab=webhooks`, "Filter these messages"]),
    page("customer_topics", [`${customer}?tab=topics`, "Newsletter"]),
    page("customer_segments", [`${customer}?tab=segments`, "Member since"]),
    page("identities", [`${customer}?tab=identities`, "Merge history"]),
    page("devices", [`${customer}?tab=devices`, "No devices"]),
    page("edit_customer", [customer, "Removing a key deletes it"], pressButton("Edit")),
    page("erase_customer", [customer, "This can’t be undone"], pressButton("Erase")),
  ];
}

function listSegmentPages(page: PageMaker, { segmentId, ruleId, reachedId }: PagesData) {
  const segment = `/segments/${segmentId}`;
  return [
    page("segments", ["/segments", "Friends"]),
    page("new_segment", ["/segments/new", "Add condition"]),
    page("add_condition", ["/segments/new", "Field or attribute"], pressButton("Add condition")),
    page("edit_segment", [`/segments/${ruleId}/edit`, "Save"]),
    page(
      "condition_menu",
      [`/segments/${ruleId}/edit`, "Put into a group"],
      pressButton("Condition actions"),
    ),
    page("segment", [segment, "Member since"]),
    page("segment_history", [`${segment}?tab=history`, "Entered and left"]),
    page("segment_changes", [`${segment}?tab=changes`, "Entered"]),
    page("segment_explain", [`${segment}?tab=explain`, "Choose a customer"]),
    page(
      "explained_member",
      [`/segments/${ruleId}?tab=explain&customer_id=${reachedId}`, "Is a member"],
    ),
    page("import_members", [segment, "CSV file"], pressButton("Import CSV")),
    page("delete_segment", [segment, "to confirm"], pressItem("More actions", "Delete")),
  ];
}

async function selectAll(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: "Select all loaded rows" }).check();
}
