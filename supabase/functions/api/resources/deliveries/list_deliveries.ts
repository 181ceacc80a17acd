import { z } from "zod";
import { listDeliveries as listRows } from "./delivery_queries.ts";
import { timePosition, uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging, queryBoolean, text, time, uuid } from "../../contract/fields.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { sortedForm } from "../../kernel/sorting.ts";
import { timeSort } from "../../contract/sorting.ts";
import { delivery } from "../../contract/deliveries.ts";

const form = { list: "deliveries", forms: [timePosition, uuidPosition] };

export const listDeliveries = defineRoute({
  operationId: "listDeliveries",
  method: "GET",
  path: "/deliveries",
  tag: "Deliveries",
  summary: "List delivery attempts",
  description: "Lists attempts made from since (included) to until (excluded).",
  scopes: ["deliveries:read"],
  leastRole: "viewer",
  query: z.strictObject({
    destination_id: uuid.optional(),
    event_type: text(200).optional(),
    ok: queryBoolean.optional(),
    since: time.optional(),
    until: time.optional(),
    ...timeSort,
    ...paging,
  }),
  status: 200,
  response: pageOf(delivery),
  async handle({ tx, workspaceId, query }) {
    const { limit, cursor, ...filter } = query;
    const sorted = sortedForm(form, filter.sort);
    const rows = await listRows(tx, {
      workspaceId,
      ...filter,
      ...readPage(sorted, { limit, cursor }),
    });
    return toPage(sorted, {
      rows,
      limit,
      positionOf: ({ attempted_at, id }) => [attempted_at, id],
    });
  },
});
