import { attachToken } from "../../../_shared/db/customer_tokens.ts";
import { params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { deviceToken, newDeviceToken } from "./schema.ts";

export const attachDeviceToken = defineRoute({
  operationId: "attachDeviceToken",
  method: "POST",
  path: "/customers/{id}/device-tokens",
  tag: "Customers",
  summary: "Give a device token to a customer",
  description: "A token belongs to one customer at a time: it is taken from whoever had it.",
  scopes: ["customers:write"],
  leastRole: "member",
  params,
  body: newDeviceToken,
  status: 201,
  answer: deviceToken,
  errors: ["limit_reached"],
  async handle({ tx, workspaceId, params, body }) {
    const token = await attachToken(tx, { workspaceId, customerId: params.id, ...body });
    return requireFound(token, "Customer");
  },
});
