import { detachToken } from "./device_token_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { deviceTokenQuery } from "../../contract/customers.ts";

export const detachDeviceToken = defineRoute({
  operationId: "detachDeviceToken",
  method: "DELETE",
  path: "/customers/{id}/device-tokens",
  tag: "Customers",
  summary: "Remove a device token from a customer",
  scopes: ["customers:write"],
  leastRole: "member",
  params,
  entity: "Device token",
  query: deviceTokenQuery,
  status: 204,
  async handle({ tx, workspaceId, params, query }) {
    const key = { workspaceId, customerId: params.id, token: query.token };
    requireFound(await detachToken(tx, key), "Device token");
  },
});
