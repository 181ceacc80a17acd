import type postgres from "postgres";

/** The id of the n-th rule, or the n-th alert, of `insertLargeAlerts()`. */
export function numberedId(n: number): string {
  return `0192f3c4-7a10-7cc3-8f4e-${n.toString(16).padStart(12, "0")}`;
}

/** 100 rules and 2,000 alerts, of which 20 are open. Other workspaces have
 * five rules and ten alerts. */
export async function insertLargeAlerts(sql: postgres.Sql, workspaceId: string): Promise<void> {
  const base = "0192f3c4-7a10-7cc3-8f4e-";
  await sql`
    insert into public.alert_rules (workspace_id, id, name, kind, threshold)
    select w.id, (${base} || lpad(to_hex(n), 12, '0'))::uuid, 'Rule ' || n, 'backlog', 10
    from public.workspaces as w, generate_series(1, 100) as n
    where w.id = ${workspaceId} or n <= 5`;
  await sql`
    insert into public.alerts (
      workspace_id, id, rule_id, rule_name, kind, target_id, target_name, value, threshold,
      window_minutes, opened_at, resolved_at, resolved_by, notify_at, notified_at
    )
    select
      w.id, (${base} || lpad(to_hex(n), 12, '0'))::uuid,
      (${base} || lpad(to_hex(1 + n % 100), 12, '0'))::uuid, 'Rule', 'backlog', gen_random_uuid(),
      'Destination ' || n, 20, 10, 60, t.at, case when n % 100 > 0 then t.at end,
      case when n % 100 > 0 then 'recovery' end, t.at, t.at
    from public.workspaces as w
    cross join generate_series(1, 2000) as n
    cross join lateral (select now() - n * interval '1 minute' as at) as t
    where w.id = ${workspaceId} or n <= 10`;
}
