import { addAutomation, type AutomationData } from "../automation_data.ts";
import { type DashboardData, type DataOptions, fillDashboard } from "../dashboard_data.ts";
import { createSampleApi, type SampleApi } from "../sample_calls.ts";

/** Ids of the data on all pages. */
export interface PagesData extends DashboardData, AutomationData {
  /** A destination with headers and a filter. */
  filteredId: string;
}

/** Fills the demo workspace with something for every page to show. */
export async function fillPages(options: DataOptions): Promise<PagesData> {
  const api = createSampleApi(options.info);
  const data = await fillDashboard(options);
  const automation = await addAutomation({ ...options, api });
  await saveQuestions(api, options.text);
  await api.call("POST /views", {
    body: {
      list: "sends",
      name: `Sent mail ${options.text}`.trim(),
      filters: { state: "sent" },
      columns: ["To", "State", "Campaign", "Sender"],
    },
  });
  return { ...data, ...automation, filteredId: await addFiltered(api, options.text) };
}

async function addFiltered(api: SampleApi, text: string): Promise<string> {
  const { id } = await api.call("POST /destinations", {
    body: {
      name: `Ledger ${text}`.trim(),
      url: "https://ledger.example.com/hooks/orders",
      event_types: ["order_refunded"],
      filter: {
        all: [
          { property: "total", op: "gte", value: 50 },
          { property: "note", op: "eq", value: text || "gift" },
        ],
      },
      headers: { Authorization: "Bearer 5ecret", "X-Ledger-Team": "orders" },
    },
  });
  return id;
}

/** Saves a question of each kind, and one about an event that does not exist. */
async function saveQuestions(api: SampleApi, text: string): Promise<void> {
  const ask = (...names: string[]) => JSON.stringify(names.map((event) => ({ event })));
  const questions: [name: string, filters: Record<string, string>][] = [
    ["Retired checkout", { events: ask("order_lost") }],
    ["What follows an order", { kind: "paths", events: ask("order_created") }],
    ["Who comes back", { kind: "retention", events: ask("product_viewed", "order_created") }],
    ["Checkout", { kind: "funnel", events: ask("product_viewed", "checkout_started") }],
    ["Views and checkouts", { events: ask("product_viewed", "checkout_started"), range: "7d" }],
    ["Orders by total", { events: ask("order_created"), property: "total" }],
  ];
  for (const [name, filters] of questions) {
    const body = { list: "explore" as const, name: `${name} ${text}`.trim(), filters };
    await api.call("POST /views", { body });
  }
}
