import { z } from "zod";
import { pageOf, paging, params } from "../../contract/fields.ts";
import { sendSummary } from "../../contract/sends.ts";
import { timePosition, uuidPosition } from "../../kernel/cursor.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { listSends } from "../sends/send_queries.ts";
import { findCustomer } from "./customer_queries.ts";

const form = { list: "customer-sends", forms: [timePosition, uuidPosition] };

export const listCustomerSends = defineRoute({
  operationId: "listCustomerSends",
  method: "GET",
  path: "/customers/{id}/sends",
  tag: "Customers",
  summary: "List the sends to a customer",
  description: "Lists the last 90 days, without tests.",
  scopes: ["customers:read"],
  leastRole: "viewer",
  params,
  entity: "Customer",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(sendSummary),
  async handle({ tx, workspaceId, params, query }) {
    const customerId = params.id;
    const page = readPage(form, query);
    const [customer, rows] = await Promise.all([
      findCustomer(tx, { workspaceId, customerId }),
      listSends(tx, { workspaceId, customer_id: customerId, onlyMessages: true, ...page }),
    ]);
    requireFound(customer, "Customer");
    const { limit } = query;
    return toPage(form, { rows, limit, positionOf: ({ queued_at, id }) => [queued_at, id] });
  },
});
