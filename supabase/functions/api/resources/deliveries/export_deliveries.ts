import { defineExport } from "../../kernel/define_export.ts";
import { listDeliveries } from "./list_deliveries.ts";

export const exportDeliveries = defineExport(listDeliveries, {
  operationId: "exportDeliveries",
  path: "/deliveries/export",
  summary: "Export delivery attempts",
  nameFile: () => "deliveries",
});
