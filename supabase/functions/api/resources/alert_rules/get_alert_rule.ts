import { alertRule } from "../../contract/alerts.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findAlertRule } from "./alert_rule_queries.ts";

export const getAlertRule = defineRoute({
  operationId: "getAlertRule",
  method: "GET",
  path: "/alert-rules/{id}",
  tag: "Alerts",
  summary: "Get an alert rule",
  scopes: ["alerts:read"],
  leastRole: "viewer",
  params,
  entity: "Alert rule",
  status: 200,
  response: alertRule,
  async handle({ tx, workspaceId, params }) {
    return requireFound(await findAlertRule(tx, { workspaceId, id: params.id }), "Alert rule");
  },
});
