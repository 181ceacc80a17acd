import { exportAuditLog } from "./export_audit_log.ts";
import { listAuditLog } from "./list_audit_log.ts";

/** Routes of this resource. */
export const auditLogRoutes = [
  exportAuditLog,
  listAuditLog,
] as const;
