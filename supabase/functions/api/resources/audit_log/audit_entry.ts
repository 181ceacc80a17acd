import { z } from "zod";
import { freeForm } from "../../contract/customers.ts";
import { id, timestamp } from "../../contract/fields.ts";

/** An entry of the audit log, as the api shows it. */
export const auditEntry = z.object({
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
