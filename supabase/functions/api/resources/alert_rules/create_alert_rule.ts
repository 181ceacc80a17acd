import { createUuidV7 } from "../../../_shared/ids/uuid_v7.ts";
import { alertRule, newAlertRule } from "../../contract/alerts.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findAlertRule, insertAlertRule } from "./alert_rule_queries.ts";
import { checkRuleFields } from "./check_rule_fields.ts";

export const createAlertRule = defineRoute({
  operationId: "createAlertRule",
  method: "POST",
  path: "/alert-rules",
  tag: "Alerts",
  summary: "Create an alert rule",
  description: "The service checks the rule within 10 seconds, and then every 30 seconds.",
  scopes: ["alerts:write"],
  leastRole: "admin",
  body: newAlertRule,
  status: 201,
  response: alertRule,
  errors: ["limit_reached"],
  action: "alert_rule.create",
  async handle({ tx, workspaceId, body, service, audit }) {
    checkRuleFields(body.kind, body);
    const rule = { workspaceId, id: createUuidV7(service.now()) };
    await insertAlertRule(tx, { ...rule, fields: body });
    const created = requireFound(await findAlertRule(tx, rule), "Alert rule");
    const { name, kind, threshold } = created;
    await audit(rule.id, { name, kind, threshold });
    return created;
  },
});
