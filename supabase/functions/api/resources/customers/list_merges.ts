import { z } from "zod";
import { findCustomer, listMerges as listRows } from "./customer_queries.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging, params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { merge } from "../../contract/customers.ts";

const form = { list: "merges", forms: [uuidPosition] };

export const listMerges = defineRoute({
  operationId: "listMerges",
  method: "GET",
  path: "/customers/{id}/merges",
  tag: "Customers",
  summary: "List the records merged into a customer",
  scopes: ["customers:read"],
  leastRole: "viewer",
  params,
  entity: "Customer",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(merge),
  async handle({ tx, workspaceId, params, query }) {
    const key = { workspaceId, customerId: params.id };
    const [customer, rows] = await Promise.all([
      findCustomer(tx, key),
      listRows(tx, { ...key, ...readPage(form, query) }),
    ]);
    requireFound(customer, "Customer");
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
