import { alert } from "../../contract/alerts.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findAlert } from "./alert_queries.ts";

export const getAlert = defineRoute({
  operationId: "getAlert",
  method: "GET",
  path: "/alerts/{id}",
  tag: "Alerts",
  summary: "Get an alert",
  scopes: ["alerts:read"],
  leastRole: "viewer",
  params,
  entity: "Alert",
  status: 200,
  response: alert,
  async handle({ tx, workspaceId, params }) {
    return requireFound(await findAlert(tx, { workspaceId, id: params.id }), "Alert");
  },
});
