import { z } from "zod";
import { listAuditLog as listRows } from "./audit_log_queries.ts";
import { timePosition, uuidPosition } from "../../kernel/cursor.ts";
import { id, pageOf, paging, text, time, timestamp, uuid } from "../../contract/fields.ts";
import { readPage, toPage, withoutPosition } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { sortedForm } from "../../kernel/sorting.ts";
import { timeSort } from "../../contract/sorting.ts";
import { freeForm } from "../../contract/customers.ts";

const form = { list: "audit-log", forms: [timePosition, uuidPosition] };

const auditEntry = z.object({
  id,
  action: z.string().meta({ example: "destination.rotate_secret" }),
  actor: z.object({
    kind: z.enum(["user", "api_key", "system"]).meta({
      description: "`system` is the service itself, or an operator using SQL.",
    }),
    id: id.nullable(),
    name: z.string().nullable().meta({ description: "The name at the time of the change." }),
  }),
  entity_id: z.string().nullable(),
  entity_name: z.string().nullable().meta({
    description:
      "Name of what was changed, or e-mail address of a member or customer: the current one, or " +
      "the last one before its deletion.",
  }),
  details: freeForm.meta({
    description:
      "For a change, `fields` are the fields that were sent, and `changes` has `before` " +
      "and `after` of each field that is now different. Values over 1,000 characters of JSON are " +
      "left out (`is_too_long`), URLs are cut after the host, and secrets and the data of " +
      "customers are never kept.",
    example: {
      fields: ["name"],
      changes: { name: { before: "Warehouse", after: "Depot" } },
    },
  }),
  request_id: id.nullable(),
  created_at: timestamp,
}).meta({ id: "AuditEntry" });

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
