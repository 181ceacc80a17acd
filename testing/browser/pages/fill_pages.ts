import { addAutomation, type AutomationData } from "../automation_data.ts";
import { type DashboardData, type DataOptions, fillDashboard } from "../dashboard_data.ts";
import { createSampleApi } from "../sample_calls.ts";

/** Ids of the data on all pages. */
export type PagesData = DashboardData & AutomationData;

/** Fills the demo workspace with something for every page to show. */
export async function fillPages(options: DataOptions): Promise<PagesData> {
  const data = await fillDashboard(options);
  return { ...data, ...await addAutomation({ ...options, api: createSampleApi(options.info) }) };
}
