import { z } from "zod";
import { listTokens } from "../../../_shared/db/customer_tokens.ts";
import { findCustomer } from "../../../_shared/db/customers.ts";
import { placeLike, timePlace } from "../../cursor.ts";
import { pageOf, paging, params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { readPage, toPage, withoutPlace } from "../../page.ts";
import { defineRoute } from "../../route.ts";
import { deviceToken } from "./schema.ts";

const form = { list: "device-tokens", forms: [timePlace, placeLike(/^[\x21-\x7e]{1,2048}$/)] };

export const listDeviceTokens = defineRoute({
  operationId: "listDeviceTokens",
  method: "GET",
  path: "/customers/{id}/device-tokens",
  tag: "Customers",
  summary: "List a customer's device tokens",
  scopes: ["customers:read"],
  leastRole: "viewer",
  params,
  query: z.strictObject(paging),
  status: 200,
  answer: pageOf(deviceToken),
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
      placeOf: ({ place_at, token }) => [place_at, token],
    });
    return { ...page, data: page.data.map(withoutPlace) };
  },
});
