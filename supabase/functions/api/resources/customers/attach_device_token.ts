import { attachToken } from "./device_token_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { deviceToken, newDeviceToken } from "../../contract/customers.ts";

export const attachDeviceToken = defineRoute({
  operationId: "attachDeviceToken",
  method: "POST",
  path: "/customers/{id}/device-tokens",
  tag: "Customers",
  summary: "Attach a device token to a customer",
  description: "A token belongs to one customer at a time: any other customer loses it.",
  scopes: ["customers:write"],
  leastRole: "member",
  params,
  entity: "Customer",
  body: newDeviceToken,
  status: 201,
  response: deviceToken,
  errors: ["limit_reached"],
  async handle({ tx, workspaceId, params, body }) {
    const token = await attachToken(tx, { workspaceId, customerId: params.id, ...body });
    return requireFound(token, "Customer");
  },
});
