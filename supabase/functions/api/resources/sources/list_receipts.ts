import { z } from "zod";
import { listReceipts as listRows } from "./receipt_queries.ts";
import { hasSource } from "./source_queries.ts";
import { timePosition, uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging, params, time } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { sortedForm } from "../../kernel/sorting.ts";
import { timeSort } from "../../contract/sorting.ts";
import { receipt, receiptOutcome } from "../../contract/sources.ts";

const form = { list: "receipts", forms: [timePosition, uuidPosition] };

export const listReceipts = defineRoute({
  operationId: "listReceipts",
  method: "GET",
  path: "/sources/{id}/receipts",
  tag: "Sources",
  summary: "List the receipts of a source",
  description:
    "Receipts are kept for 30 days. Lists those from since (included) to until (excluded).",
  scopes: ["sources:read"],
  leastRole: "viewer",
  params,
  entity: "Source",
  query: z.strictObject({
    outcome: receiptOutcome.optional(),
    since: time.optional(),
    until: time.optional(),
    ...timeSort,
    ...paging,
  }),
  status: 200,
  response: pageOf(receipt),
  async handle({ tx, workspaceId, params, query }) {
    const { limit, cursor, ...filter } = query;
    const sorted = sortedForm(form, filter.sort);
    const key = { workspaceId, sourceId: params.id };
    const [isThere, rows] = await Promise.all([
      hasSource(tx, key),
      listRows(tx, { ...key, ...filter, ...readPage(sorted, { limit, cursor }) }),
    ]);
    requireFound(isThere, "Source");
    return toPage(sorted, { rows, limit, positionOf: ({ received_at, id }) => [received_at, id] });
  },
});
