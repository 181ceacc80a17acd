import { createApiClient } from "../../../supabase/functions/api/contract/client.ts";
import { addAutomation, type AutomationData } from "../automation_data.ts";
import { type DashboardData, type DataOptions, fillDashboard } from "../dashboard_data.ts";

/** Ids of the data on all pages. */
export type PagesData = DashboardData & AutomationData;

/** Fills the demo workspace with something for every page to show. */
export async function fillPages(options: DataOptions): Promise<PagesData> {
  const { info } = options;
  const data = await fillDashboard(options);
  const api = createApiClient({
    functionsUrl: `${info.base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${info.api_key}` }),
  });
  return { ...data, ...await addAutomation({ ...options, api }) };
}
