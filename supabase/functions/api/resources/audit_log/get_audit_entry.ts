import { params } from "../../contract/fields.ts";
import { withoutPosition } from "../../kernel/http_page.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { auditEntry } from "./audit_entry.ts";
import { findAuditEntry } from "./audit_log_queries.ts";

export const getAuditEntry = defineRoute({
  operationId: "getAuditEntry",
  method: "GET",
  path: "/audit-log/{id}",
  tag: "Audit log",
  summary: "Get one change",
  scopes: [],
  leastRole: "admin",
  params,
  entity: "Audit entry",
  status: 200,
  response: auditEntry,
  async handle({ tx, workspaceId, params }) {
    const found = await findAuditEntry(tx, { workspaceId, entryId: params.id });
    return withoutPosition(requireFound(found, "Audit entry"));
  },
});
