import { z } from "zod";
import { pageOf, paging } from "../../contract/fields.ts";
import { sender } from "../../contract/senders.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
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
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(sender),
  async handle({ tx, workspaceId, query }) {
    const rows = await listRows(tx, { workspaceId, ...readPage(form, query) });
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
