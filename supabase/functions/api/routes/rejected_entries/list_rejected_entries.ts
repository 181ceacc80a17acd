import { z } from "zod";
import { listRejectedEntries as listRows } from "../../../_shared/db/rejected_entries.ts";
import { timePlace, uuidPlace } from "../../cursor.ts";
import { pageOf, paging, queryBoolean, time, uuid } from "../../fields.ts";
import { readPage, toPage } from "../../page.ts";
import { defineRoute } from "../../route.ts";
import { door, rejectedEntry, showRejected } from "./schema.ts";

const form = { list: "rejected_entries", forms: [timePlace, uuidPlace] };

export const listRejectedEntries = defineRoute({
  operationId: "listRejectedEntries",
  method: "GET",
  path: "/rejected-entries",
  tag: "Rejected entries",
  summary: "List entries that were refused",
  description: "Kept for 7 days. From since (included) until (excluded).",
  scopes: ["events:read"],
  leastRole: "viewer",
  query: z.strictObject({
    door: door.optional(),
    source_id: uuid.optional(),
    resent: queryBoolean.optional(),
    since: time.optional(),
    until: time.optional(),
    ...paging,
  }),
  status: 200,
  answer: pageOf(rejectedEntry),
  async handle({ tx, workspaceId, query }) {
    const { limit, cursor, ...filter } = query;
    const page = readPage(form, { limit, cursor });
    const rows = await listRows(tx, { workspaceId, ...filter, ...page });
    const { data, next_cursor } = toPage(form, {
      rows,
      limit,
      placeOf: ({ rejected_at, id }) => [rejected_at, id],
    });
    return { data: data.map(showRejected), next_cursor };
  },
});
