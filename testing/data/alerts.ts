import type postgres from "postgres";

/** Fields of an alert rule that a test sets. */
export interface RuleOverrides {
  kind?: string;
  threshold?: number;
  targetId?: string | null;
  channels?: object[];
  repeatAfterMinutes?: number;
  quietHours?: { from: string; to: string } | null;
  notifyResolved?: boolean;
}

/** Creates a rule; returns its id. */
export async function addRule(
  sql: postgres.Sql,
  workspaceId: string,
  rule: RuleOverrides = {},
): Promise<string> {
  const { quietHours = null } = rule;
  const [row] = await sql<{ id: string }[]>`
    insert into public.alert_rules (
      workspace_id, name, kind, threshold, target_id, channels, repeat_after_minutes, quiet_hours,
      notify_resolved
    )
    values (
      ${workspaceId}, 'Watch', ${rule.kind ?? "backlog"}, ${rule.threshold ?? 1},
      ${rule.targetId ?? null}, ${JSON.stringify(rule.channels ?? [])}::text::jsonb,
      ${rule.repeatAfterMinutes ?? 60},
      ${quietHours === null ? null : JSON.stringify(quietHours)}::text::jsonb,
      ${rule.notifyResolved ?? true}
    )
    returning id`;
  return row!.id;
}

/** An alert as the api shows it. */
export interface ShownAlert {
  id: string;
  rule_id: string;
  state: "open" | "resolved";
  target: { id: string; name: string } | null;
  message: string;
  value: number;
  resolved_by: string | null;
  notified_at: string | null;
}

/** Alerts of a workspace, oldest first. */
export async function readAlerts(sql: postgres.Sql, workspaceId: string): Promise<ShownAlert[]> {
  const rows = await sql<{ alert: ShownAlert }[]>`
    select private.alert_document(a) as alert from public.alerts as a
    where a.workspace_id = ${workspaceId} order by a.opened_at, a.id`;
  return rows.map(({ alert }) => alert);
}

/** Checks the rules that are due at a time. */
export async function checkAlerts(sql: postgres.Sql, now: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select private.check_alerts(100, ${now}) as count`;
  return row!.count;
}
