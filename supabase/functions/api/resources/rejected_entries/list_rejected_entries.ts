import { z } from "zod";
import { listRejectedEntries as listRows } from "./rejected_entry_queries.ts";
import { timePosition, uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging, queryBoolean, time, uuid } from "../../contract/fields.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { sortedForm } from "../../kernel/sorting.ts";
import { timeSort } from "../../contract/sorting.ts";
import {
  code,
  origin,
  reason,
  rejectedEntry,
  wrongField,
} from "../../contract/rejected_entries.ts";
import { showRejected } from "./show_rejected.ts";

const form = { list: "rejected_entries", forms: [timePosition, uuidPosition] };

export const listRejectedEntries = defineRoute({
  operationId: "listRejectedEntries",
  method: "GET",
  path: "/rejected-entries",
  tag: "Rejected entries",
  summary: "List rejected entries",
  description:
    "Entries are kept for 7 days. Lists those from since (included) to until (excluded).",
  scopes: ["events:read"],
  leastRole: "viewer",
  query: z.strictObject({
    origin: origin.optional(),
    code: code.optional(),
    field: wrongField.optional(),
    source_id: uuid.optional(),
    reason: reason.optional(),
    resent: queryBoolean.optional(),
    discarded: queryBoolean.optional(),
    since: time.optional(),
    until: time.optional(),
    ...timeSort,
    ...paging,
  }),
  status: 200,
  response: pageOf(rejectedEntry),
  async handle({ tx, workspaceId, query }) {
    const { limit, cursor, ...filter } = query;
    const sorted = sortedForm(form, filter.sort);
    const page = readPage(sorted, { limit, cursor });
    const rows = await listRows(tx, { workspaceId, ...filter, ...page });
    const { data, next_cursor } = toPage(sorted, {
      rows,
      limit,
      positionOf: ({ rejected_at, id }) => [rejected_at, id],
    });
    return { data: data.map(showRejected), next_cursor };
  },
});
