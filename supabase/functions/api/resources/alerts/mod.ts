import { exportAlerts } from "./export_alerts.ts";
import { getAlert } from "./get_alert.ts";
import { listAlerts } from "./list_alerts.ts";

/** Routes of this resource. */
export const alertRoutes = [
  exportAlerts,
  getAlert,
  listAlerts,
] as const;
