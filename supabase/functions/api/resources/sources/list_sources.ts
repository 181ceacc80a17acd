import { z } from "zod";
import { listSources as listRows } from "./source_queries.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { positionByName, sortedForm } from "../../kernel/sorting.ts";
import { nameSort } from "../../contract/sorting.ts";
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
  query: z.strictObject({ ...nameSort, ...paging }),
  status: 200,
  response: pageOf(source),
  async handle({ tx, workspaceId, query }) {
    const { sort, limit } = query;
    const sorted = sortedForm(form, sort);
    const rows = await listRows(tx, { workspaceId, sort, ...readPage(sorted, query) });
    return toPage(sorted, { rows, limit, positionOf: positionByName(sort) });
  },
});
