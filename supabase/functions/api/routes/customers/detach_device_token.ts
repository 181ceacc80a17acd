import { detachToken } from "../../../_shared/db/customer_tokens.ts";
import { params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { deviceTokenQuery } from "./schema.ts";

export const detachDeviceToken = defineRoute({
  operationId: "detachDeviceToken",
  method: "DELETE",
  path: "/customers/{id}/device-tokens",
  tag: "Customers",
  summary: "Remove a device token of a customer",
  scopes: ["customers:write"],
  leastRole: "member",
  params,
  query: deviceTokenQuery,
  status: 204,
  async handle({ tx, workspaceId, params, query }) {
    const key = { workspaceId, customerId: params.id, token: query.token };
    requireFound(await detachToken(tx, key), "Device token");
  },
});
