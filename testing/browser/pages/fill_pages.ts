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
