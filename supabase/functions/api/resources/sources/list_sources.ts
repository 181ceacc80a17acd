import { z } from "zod";
import { listSources as listRows } from "./source_queries.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { source } from "../../contract/sources.ts";

const form = { list: "sources", forms: [uuidPosition] };

export const listSources = defineRoute({
  operationId: "listSources",
  method: "GET",
  path: "/sources",
  tag: "Sources",
  summary: "List sources",
  scopes: ["sources:read"],
  leastRole: "viewer",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(source),
  async handle({ tx, workspaceId, query }) {
    const rows = await listRows(tx, { workspaceId, ...readPage(form, query) });
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
