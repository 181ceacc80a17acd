import { z } from "zod";
import { findCustomer } from "./customer_queries.ts";
import { listCustomerRuns as listRows } from "../runs/run_queries.ts";
import { pageOf, paging, params } from "../../contract/fields.ts";
import { listedRun } from "../../contract/journeys.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

const form = { list: "customer-runs", forms: [uuidPosition] };

export const listCustomerRuns = defineRoute({
  operationId: "listCustomerRuns",
  method: "GET",
  path: "/customers/{id}/runs",
  tag: "Customers",
  summary: "List a customer's runs through journeys",
  description: "Newest first, including runs that have ended.",
  scopes: ["customers:read"],
  leastRole: "viewer",
  params,
  entity: "Customer",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(listedRun),
  async handle({ tx, workspaceId, params, query }) {
    const key = { workspaceId, customerId: params.id };
    const page = readPage(form, query);
    const [customer, rows] = await Promise.all([
      findCustomer(tx, key),
      listRows(tx, { ...key, ...page }),
    ]);
    requireFound(customer, "Customer");
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
