import type { Entities } from "../access/api_entities.ts";
import type { SampleCall } from "./sample_call.ts";

const rule = ({ alertRuleId }: Entities) => alertRuleId;

/** One valid call of each route of alerts, and of the search. */
export const alertCalls: Readonly<Record<string, SampleCall>> = {
  listAlerts: { path: () => "/alerts?state=open" },
  exportAlerts: { path: () => "/alerts/export?state=open" },
  getAlert: { entity: ({ alertId }) => alertId, path: (id) => `/alerts/${id}` },
  listAlertRules: { path: () => "/alert-rules" },
  createAlertRule: {
    path: () => "/alert-rules",
    body: { name: "Warehouse is down", kind: "destination_failing" },
  },
  getAlertRule: { entity: rule, path: (id) => `/alert-rules/${id}` },
  updateAlertRule: { entity: rule, path: (id) => `/alert-rules/${id}`, body: { threshold: 5 } },
  deleteAlertRule: { entity: rule, path: (id) => `/alert-rules/${id}` },
  search: { path: () => "/search?q=ada" },
  testAlertRule: { entity: rule, path: (id) => `/alert-rules/${id}/test` },
};
