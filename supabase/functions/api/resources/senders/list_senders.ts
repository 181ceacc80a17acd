import { z } from "zod";
import { pageOf, paging } from "../../contract/fields.ts";
import { sender } from "../../contract/senders.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { positionByName, sortedForm } from "../../kernel/sorting.ts";
import { nameSort } from "../../contract/sorting.ts";
import { listSenders as listRows } from "./sender_queries.ts";

const form = { list: "senders", forms: [uuidPosition] };

export const listSenders = defineRoute({
  operationId: "listSenders",
  method: "GET",
  path: "/senders",
  tag: "Senders",
  summary: "List senders",
  scopes: ["senders:read"],
  leastRole: "viewer",
  query: z.strictObject({ ...nameSort, ...paging }),
  status: 200,
  response: pageOf(sender),
  async handle({ tx, workspaceId, query }) {
    const { sort, limit } = query;
    const sorted = sortedForm(form, sort);
    const rows = await listRows(tx, { workspaceId, sort, ...readPage(sorted, query) });
    return toPage(sorted, { rows, limit, positionOf: positionByName(sort) });
  },
});
