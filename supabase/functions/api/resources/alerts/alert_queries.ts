import type { z } from "zod";
import type { CallerSql } from "../../kernel/caller.ts";
import type { alert } from "../../contract/alerts.ts";
import { lastUuid, type PageRequest } from "../../kernel/page_queries.ts";

/** An alert as the api returns it. */
export type Alert = z.output<typeof alert>;

export interface AlertFilter {
  workspaceId: string;
  state?: "open" | "resolved" | undefined;
  ruleId?: string | undefined;
}

/** Lists alerts, newest first. */
export async function listAlerts(
  tx: CallerSql,
  { workspaceId, state, ruleId, limit, after }: PageRequest & AlertFilter,
): Promise<Alert[]> {
  const isResolved = state === undefined
    ? tx``
    : state === "open"
    ? tx`and a.resolved_at is null`
    : tx`and a.resolved_at is not null`;
  const isOfRule = ruleId === undefined ? tx`` : tx`and a.rule_id = ${ruleId}`;
  const rows = await tx<{ alert: Alert }[]>`
    select private.alert_document(a) as alert
    from public.alerts as a
    where a.workspace_id = ${workspaceId} and a.id < ${after?.[0] ?? lastUuid}
      ${isResolved} ${isOfRule}
    order by a.id desc
    limit ${limit + 1}
  `;
  return rows.map((row) => row.alert);
}

/** Returns one alert, or undefined if the caller cannot see it. */
export async function findAlert(
  tx: CallerSql,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<Alert | undefined> {
  const rows = await tx<{ alert: Alert }[]>`
    select private.alert_document(a) as alert
    from public.alerts as a
    where a.workspace_id = ${workspaceId} and a.id = ${id}
  `;
  return rows[0]?.alert;
}
