import { alert } from "../../contract/alerts.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { testRule } from "./alert_rule_queries.ts";
import { findAlert } from "../alerts/alert_queries.ts";

export const testAlertRule = defineRoute({
  operationId: "testAlertRule",
  method: "POST",
  path: "/alert-rules/{id}/test",
  tag: "Alerts",
  summary: "Send a test notice to the channels of a rule",
  description: "Ignores quiet hours. The list of alerts shows it as a test.",
  scopes: ["alerts:write"],
  leastRole: "admin",
  params,
  entity: "Alert rule",
  status: 202,
  response: alert,
  action: "alert_rule.test",
  async handle({ tx, workspaceId, params, audit }) {
    const id = await testRule(tx, { workspaceId, id: params.id });
    await audit(params.id);
    return requireFound(await findAlert(tx, { workspaceId, id }), "Alert");
  },
});
