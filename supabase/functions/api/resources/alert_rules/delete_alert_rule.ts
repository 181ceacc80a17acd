import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { removeAlertRule } from "./alert_rule_queries.ts";

export const deleteAlertRule = defineRoute({
  operationId: "deleteAlertRule",
  method: "DELETE",
  path: "/alert-rules/{id}",
  tag: "Alerts",
  summary: "Delete an alert rule",
  description: "Resolves its open alerts. Past alerts stay in the list.",
  scopes: ["alerts:write"],
  leastRole: "admin",
  params,
  entity: "Alert rule",
  status: 204,
  action: "alert_rule.delete",
  async handle({ tx, workspaceId, params, audit }) {
    const removed = await removeAlertRule(tx, { workspaceId, id: params.id });
    await audit(params.id, { name: requireFound(removed, "Alert rule") });
  },
});
