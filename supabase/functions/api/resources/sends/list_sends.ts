import { pageOf } from "../../contract/fields.ts";
import { sendQuery, sendSummary } from "../../contract/sends.ts";
import { timePosition, uuidPosition } from "../../kernel/cursor.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { sortedForm } from "../../kernel/sorting.ts";
import { timeSort } from "../../contract/sorting.ts";
import { listSends as listRows } from "./send_queries.ts";

const form = { list: "sends", forms: [timePosition, uuidPosition] };

export const listSends = defineRoute({
  operationId: "listSends",
  method: "GET",
  path: "/sends",
  tag: "Sends",
  summary: "List sends",
  description:
    "Lists those queued from since (included) to until (excluded), in the last 90 days, " +
    "without the rendered content.",
  scopes: ["sends:read"],
  leastRole: "viewer",
  query: sendQuery.extend(timeSort),
  status: 200,
  response: pageOf(sendSummary),
  async handle({ tx, workspaceId, query }) {
    const { limit, cursor, ...filter } = query;
    const sorted = sortedForm(form, filter.sort);
    const page = readPage(sorted, { limit, cursor });
    const rows = await listRows(tx, { workspaceId, ...filter, ...page });
    return toPage(sorted, { rows, limit, positionOf: ({ queued_at, id }) => [queued_at, id] });
  },
});
