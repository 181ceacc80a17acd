import { exportAuditLog } from "./export_audit_log.ts";
import { getAuditEntry } from "./get_audit_entry.ts";
import { listAuditLog } from "./list_audit_log.ts";

/** Routes of this resource. */
export const auditLogRoutes = [
  exportAuditLog,
  getAuditEntry,
  listAuditLog,
] as const;
