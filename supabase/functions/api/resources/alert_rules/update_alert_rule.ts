import { alertRule, alertRuleEdit } from "../../contract/alerts.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { changeAlertRule, findAlertRule } from "./alert_rule_queries.ts";
import { checkRuleFields } from "./check_rule_fields.ts";
import { getAlertRule } from "./get_alert_rule.ts";

export const updateAlertRule = defineRoute({
  operationId: "updateAlertRule",
  method: "PATCH",
  path: "/alert-rules/{id}",
  tag: "Alerts",
  summary: "Change, enable or disable an alert rule",
  description: "The kind cannot be changed. Disabling a rule resolves its open alerts.",
  scopes: ["alerts:write"],
  leastRole: "admin",
  params,
  entity: "Alert rule",
  body: alertRuleEdit,
  status: 200,
  response: alertRule,
  errors: ["conflict"],
  action: "alert_rule.update",
  shownBy: getAlertRule,
  async handle({ tx, workspaceId, params, body, audit }) {
    const rule = { workspaceId, id: params.id };
    const { kind } = requireFound(await findAlertRule(tx, rule), "Alert rule");
    checkRuleFields(kind, body);
    await changeAlertRule(tx, { ...rule, fields: body });
    await audit(rule.id, { fields: Object.keys(body) });
    return requireFound(await findAlertRule(tx, rule), "Alert rule");
  },
});
