import { z } from "zod";
import { listRejectionReasons as listRows } from "./rejected_entry_queries.ts";
import { queryInteger, time, uuid } from "../../contract/fields.ts";
import { mostGrouped, mostReasons, rejectionReason } from "../../contract/rejected_entries.ts";
import { defineRoute } from "../../kernel/route.ts";

export const listRejectionReasons = defineRoute({
  operationId: "listRejectionReasons",
  method: "GET",
  path: "/rejected-entries/reasons",
  tag: "Rejected entries",
  summary: "Group rejected entries by reason",
  description:
    "Groups the newest rejected entries that were neither resent nor discarded, the most " +
    "frequent reason first. " +
    `Returns at most ${mostReasons} groups. An entry belongs to one group: that of its whole ` +
    "error, its first wrong field, its interface and its source.",
  scopes: ["events:read"],
  leastRole: "viewer",
  query: z.strictObject({
    source_id: uuid.optional(),
    since: time.optional(),
    until: time.optional(),
    newest: queryInteger(1, mostGrouped).default(mostGrouped).meta({
      description: "Number of the newest entries to group.",
      default: mostGrouped,
    }),
  }),
  status: 200,
  response: z.object({
    data: z.array(rejectionReason),
    entries: z.int().meta({
      description: "Number of the entries that were checked and neither resent nor discarded.",
    }),
    is_complete: z.boolean().meta({
      description: "False if there may be older entries, which were not checked.",
    }),
  }).meta({ id: "RejectionReasons" }),
  async handle({ tx, workspaceId, query: { newest, ...filter } }) {
    const found = await listRows(tx, { workspaceId, ...filter, newest, limit: mostReasons });
    const { lookedAt, entries, reasons } = found;
    return { data: reasons, entries, is_complete: lookedAt < newest };
  },
});
