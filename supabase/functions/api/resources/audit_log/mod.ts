import { listAuditLog } from "./list_audit_log.ts";

/** Routes of this resource. */
export const auditLogRoutes = [
  listAuditLog,
] as const;
