import { z } from "zod";
import { pageOf, paging } from "../../contract/fields.ts";
import { templateSummary } from "../../contract/templates.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { positionByName, sortedForm } from "../../kernel/sorting.ts";
import { nameSort } from "../../contract/sorting.ts";
import { listTemplates as listRows } from "./template_queries.ts";

const form = { list: "templates", forms: [uuidPosition] };

export const listTemplates = defineRoute({
  operationId: "listTemplates",
  method: "GET",
  path: "/templates",
  tag: "Templates",
  summary: "List templates",
  description: "Lists templates without their bodies.",
  scopes: ["templates:read"],
  leastRole: "viewer",
  query: z.strictObject({ ...nameSort, ...paging }),
  status: 200,
  response: pageOf(templateSummary),
  async handle({ tx, workspaceId, query }) {
    const { sort, limit } = query;
    const sorted = sortedForm(form, sort);
    const rows = await listRows(tx, { workspaceId, sort, ...readPage(sorted, query) });
    return toPage(sorted, { rows, limit, positionOf: positionByName(sort) });
  },
});
