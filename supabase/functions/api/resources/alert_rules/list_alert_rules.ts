import { z } from "zod";
import { alertRule } from "../../contract/alerts.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { listAlertRules as listRows } from "./alert_rule_queries.ts";

const form = { list: "alert-rules", forms: [uuidPosition] };

export const listAlertRules = defineRoute({
  operationId: "listAlertRules",
  method: "GET",
  path: "/alert-rules",
  tag: "Alerts",
  summary: "List alert rules",
  scopes: ["alerts:read"],
  leastRole: "viewer",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(alertRule),
  async handle({ tx, workspaceId, query }) {
    const rows = await listRows(tx, { workspaceId, ...readPage(form, query) });
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
