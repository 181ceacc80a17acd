import { pageOf } from "../../contract/fields.ts";
import { view, viewQuery } from "../../contract/views.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { listViews as listRows } from "./view_queries.ts";

const form = { list: "views", forms: [uuidPosition] };

export const listViews = defineRoute({
  operationId: "listViews",
  method: "GET",
  path: "/views",
  tag: "Views",
  summary: "List saved views",
  scopes: ["views:read"],
  leastRole: "viewer",
  query: viewQuery,
  status: 200,
  response: pageOf(view),
  async handle({ tx, workspaceId, query }) {
    const rows = await listRows(tx, { workspaceId, list: query.list, ...readPage(form, query) });
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
