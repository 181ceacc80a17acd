import type { ApiWorld } from "../service/api_world.ts";

/** A rule about the destination, and an open alert of it. */
export interface AlertEntities {
  alertRuleId: string;
  alertId: string;
}

/** Makes a rule and an alert. */
export async function insertAlerts(
  { sql }: ApiWorld,
  { workspaceId, destinationId }: Record<"workspaceId" | "destinationId", string>,
): Promise<AlertEntities> {
  const [row] = await sql<{ rule_id: string; id: string }[]>`
    with rule as (
      insert into public.alert_rules (workspace_id, name, kind, threshold)
      values (${workspaceId}, 'Backlog', 'backlog', 100)
      returning id, name
    )
    insert into public.alerts (
      workspace_id, rule_id, rule_name, kind, target_id, target_name, value, threshold,
      window_minutes, opened_at, notify_at
    )
    select
      ${workspaceId}, r.id, r.name, 'backlog', ${destinationId}, 'Warehouse', 200, 100, 60, now(),
      now()
    from rule as r
    returning rule_id, id`;
  return { alertRuleId: row!.rule_id, alertId: row!.id };
}
