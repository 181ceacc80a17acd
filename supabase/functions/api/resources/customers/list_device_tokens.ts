import { z } from "zod";
import { listTokens } from "./device_token_queries.ts";
import { findCustomer } from "./customer_queries.ts";
import { positionLike, timePosition } from "../../kernel/cursor.ts";
import { pageOf, paging, params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { readPage, toPage, withoutPosition } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { deviceToken } from "../../contract/customers.ts";

const form = {
  list: "device-tokens",
  forms: [timePosition, positionLike(/^[\x21-\x7e]{1,2048}$/)],
};

export const listDeviceTokens = defineRoute({
  operationId: "listDeviceTokens",
  method: "GET",
  path: "/customers/{id}/device-tokens",
  tag: "Customers",
  summary: "List a customer's device tokens",
  scopes: ["customers:read"],
  leastRole: "viewer",
  params,
  entity: "Customer",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(deviceToken),
  async handle({ tx, workspaceId, params, query }) {
    const key = { workspaceId, customerId: params.id };
    const [customer, rows] = await Promise.all([
      findCustomer(tx, key),
      listTokens(tx, { ...key, ...readPage(form, query) }),
    ]);
    requireFound(customer, "Customer");
    const page = toPage(form, {
      rows,
      limit: query.limit,
      positionOf: ({ position_at, token }) => [position_at, token],
    });
    return { ...page, data: page.data.map(withoutPosition) };
  },
});
