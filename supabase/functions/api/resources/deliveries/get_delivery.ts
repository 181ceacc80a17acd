import { findDelivery } from "./delivery_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { deliveryDetail } from "../../contract/deliveries.ts";

export const getDelivery = defineRoute({
  operationId: "getDelivery",
  method: "GET",
  path: "/deliveries/{id}",
  tag: "Deliveries",
  summary: "Get an attempt, its request, and all attempts of its message",
  scopes: ["deliveries:read"],
  leastRole: "viewer",
  params,
  entity: "Delivery",
  status: 200,
  response: deliveryDetail,
  async handle({ tx, workspaceId, params }) {
    return requireFound(await findDelivery(tx, { workspaceId, deliveryId: params.id }), "Delivery");
  },
});
