import { alert, alertsQuery } from "../../contract/alerts.ts";
import { pageOf } from "../../contract/fields.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { listAlerts as listRows } from "./alert_queries.ts";

const form = { list: "alerts", forms: [uuidPosition] };

export const listAlerts = defineRoute({
  operationId: "listAlerts",
  method: "GET",
  path: "/alerts",
  tag: "Alerts",
  summary: "List alerts",
  description: "Resolved alerts are kept for 90 days.",
  scopes: ["alerts:read"],
  leastRole: "viewer",
  query: alertsQuery,
  status: 200,
  response: pageOf(alert),
  async handle({ tx, workspaceId, query }) {
    const { state, rule_id: ruleId } = query;
    const rows = await listRows(tx, { workspaceId, state, ruleId, ...readPage(form, query) });
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
