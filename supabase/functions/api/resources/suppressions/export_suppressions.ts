import { exportQuery, suppressionExport } from "../../contract/suppressions.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { writeCsv } from "./csv.ts";
import { listSuppressions } from "./suppression_queries.ts";

const form = { list: "suppression-export", forms: [uuidPosition] };
const limit = 1_000;
const columns = ["email", "email_hash", "reason", "until", "created_at"] as const;

export const exportSuppressions = defineRoute({
  operationId: "exportSuppressions",
  method: "GET",
  path: "/suppressions/export",
  tag: "Suppressions",
  summary: "Export suppressed addresses as CSV",
  description: "Newest first. The first page begins with the names of the columns.",
  scopes: ["suppressions:read"],
  leastRole: "viewer",
  query: exportQuery,
  status: 200,
  response: suppressionExport,
  async handle({ tx, workspaceId, query }) {
    const page = { limit, cursor: query.cursor };
    const rows = await listSuppressions(tx, { workspaceId, ...readPage(form, page) });
    const { data, next_cursor } = toPage(form, { rows, limit, positionOf: positionOfId });
    const lines = data.map((row) => columns.map((column) => row[column]));
    return { csv: writeCsv(query.cursor === undefined ? [columns, ...lines] : lines), next_cursor };
  },
});
