import { listAuditLog } from "./list_audit_log.ts";

/** Routes of this resource, in the order of the documentation. */
export const auditLogRoutes = [
  listAuditLog,
] as const;
