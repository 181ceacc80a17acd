import { defineExport } from "../../kernel/define_export.ts";
import { listAuditLog } from "./list_audit_log.ts";

export const exportAuditLog = defineExport(listAuditLog, {
  operationId: "exportAuditLog",
  path: "/audit-log/export",
  summary: "Export who changed what and when",
  nameFile: () => "audit-log",
});
