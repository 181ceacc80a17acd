import { z } from "zod";
import { auditEntry } from "./audit_entry.ts";
import { listAuditLog as listRows } from "./audit_log_queries.ts";
import { timePosition, uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging, text, time, uuid } from "../../contract/fields.ts";
import { readPage, toPage, withoutPosition } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { sortedForm } from "../../kernel/sorting.ts";
import { timeSort } from "../../contract/sorting.ts";

const form = { list: "audit-log", forms: [timePosition, uuidPosition] };

export const listAuditLog = defineRoute({
  operationId: "listAuditLog",
  method: "GET",
  path: "/audit-log",
  tag: "Audit log",
  summary: "List who changed what and when",
  scopes: [],
  leastRole: "admin",
  query: z.strictObject({
    action: text(2000).optional().meta({
      description: "An action, or several, separated by commas.",
      example: "destination.create,destination.delete",
    }),
    actor_id: uuid.optional().meta({ description: "Id of a user or of a key." }),
    entity_id: text(500).optional().meta({
      description: "Id of what was changed, as `entity_id` has it.",
    }),
    since: time.optional(),
    until: time.optional(),
    ...timeSort,
    ...paging,
  }),
  status: 200,
  response: pageOf(auditEntry),
  async handle({ tx, workspaceId, query }) {
    const { limit, cursor, actor_id: actorId, entity_id: entityId, ...filter } = query;
    const sorted = sortedForm(form, filter.sort);
    const rows = await listRows(tx, {
      workspaceId,
      actorId,
      entityId,
      ...filter,
      ...readPage(sorted, { limit, cursor }),
    });
    const page = toPage(sorted, {
      rows,
      limit,
      positionOf: ({ position_at, id }) => [position_at, id],
    });
    return { ...page, data: page.data.map(withoutPosition) };
  },
});
