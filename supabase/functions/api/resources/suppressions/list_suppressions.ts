import { pageOf } from "../../contract/fields.ts";
import { suppression, suppressionQuery } from "../../contract/suppressions.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { listSuppressions as listRows } from "./suppression_queries.ts";

const form = { list: "suppressions", forms: [uuidPosition] };

export const listSuppressions = defineRoute({
  operationId: "listSuppressions",
  method: "GET",
  path: "/suppressions",
  tag: "Suppressions",
  summary: "List suppressed addresses",
  scopes: ["suppressions:read"],
  leastRole: "viewer",
  query: suppressionQuery,
  status: 200,
  response: pageOf(suppression),
  async handle({ tx, workspaceId, query }) {
    const { email, reason } = query;
    const rows = await listRows(tx, { workspaceId, email, reason, ...readPage(form, query) });
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
