import { defineExport } from "../../kernel/define_export.ts";
import { listAlerts } from "./list_alerts.ts";

export const exportAlerts = defineExport(listAlerts, {
  operationId: "exportAlerts",
  path: "/alerts/export",
  summary: "Export alerts",
  nameFile: () => "alerts",
});
