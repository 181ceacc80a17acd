import { listAuditLog } from "./list_audit_log.ts";

/** Routes of this resource, in documentation order. */
export const auditLogRoutes = [
  listAuditLog,
] as const;
