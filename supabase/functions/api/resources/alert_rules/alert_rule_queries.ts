import type { z } from "zod";
import {
  type AlertKind,
  alertKinds,
  type alertRule,
  type newAlertRule,
} from "../../contract/alerts.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { lastUuid, type PageRequest } from "../../kernel/page_queries.ts";

/** An alert rule as the api returns it. */
export type AlertRule = z.output<typeof alertRule>;

export interface AlertRuleId {
  workspaceId: string;
  id: string;
}

/** Lists alert rules, newest first. */
export async function listAlertRules(
  tx: CallerSql,
  { workspaceId, limit, after }: PageRequest & { workspaceId: string },
): Promise<AlertRule[]> {
  return await tx<AlertRule[]>`
    with found as materialized (
      select r.* from public.alert_rules as r
      where r.workspace_id = ${workspaceId} and r.id < ${after?.[0] ?? lastUuid}
      order by r.id desc
      limit ${limit + 1}
    )
    ${selectRules(tx)}
    order by f.id desc
  `;
}

/** Returns one rule, or undefined if the caller cannot see it. */
export async function findAlertRule(
  tx: CallerSql,
  { workspaceId, id }: AlertRuleId,
): Promise<AlertRule | undefined> {
  const rows = await tx<AlertRule[]>`
    with found as materialized (
      select r.* from public.alert_rules as r
      where r.workspace_id = ${workspaceId} and r.id = ${id}
    )
    ${selectRules(tx)}
  `;
  return rows[0];
}

function selectRules(tx: CallerSql) {
  return tx`
    select
      f.id, f.name, f.kind, f.target_id, f.threshold::double precision as threshold,
      f.window_minutes, f.channels, f.repeat_after_minutes, f.quiet_hours, f.notify_resolved,
      f.enabled,
      o.alerts as open_alerts,
      case
        when f.kind in ('destination_failing', 'destination_disabled', 'backlog', 'missed_messages')
        then (
          select d.name from public.destinations as d
          where d.workspace_id = f.workspace_id and d.id = f.target_id
        )
        when f.kind = 'source_refusing'
        then (
          select s.name from public.inbound_sources as s
          where s.workspace_id = f.workspace_id and s.id = f.target_id
        )
        when f.kind in ('sender_failing', 'complaint_rate')
        then (
          select s.name from public.senders as s
          where s.workspace_id = f.workspace_id and s.id = f.target_id
        )
        when f.kind = 'journey_lag'
        then (
          select j.name from public.journeys as j
          where j.workspace_id = f.workspace_id and j.id = f.target_id
        )
      end as target_name,
      private.rfc3339(o.since) as firing_since,
      private.rfc3339((
        select a.notified_at from public.alerts as a
        where a.workspace_id = f.workspace_id and a.rule_id = f.id
          and a.notified_at is not null and not a.is_test
        order by a.id desc
        limit 1
      )) as last_notified_at,
      private.rfc3339(f.created_at) as created_at, private.rfc3339(f.updated_at) as updated_at
    from found as f
    cross join lateral (
      select count(*)::integer as alerts, min(a.opened_at) as since
      from public.alerts as a
      where a.workspace_id = f.workspace_id and a.rule_id = f.id and a.resolved_at is null
    ) as o
  `;
}

/** Fields that callers write. */
export type AlertRuleFields = {
  [Field in keyof z.output<typeof newAlertRule>]?: z.output<typeof newAlertRule>[Field] | undefined;
};

interface CompleteRule extends AlertRuleFields {
  kind: AlertKind;
}

/** Creates a rule; throws SP400 if its target or a channel does not exist. */
export async function insertAlertRule(
  tx: CallerSql,
  { workspaceId, id, fields }: AlertRuleId & { fields: CompleteRule },
): Promise<void> {
  const { channels = [], quiet_hours: quietHours = null } = fields;
  await tx`
    insert into public.alert_rules (
      workspace_id, id, name, kind, target_id, threshold, window_minutes, channels,
      repeat_after_minutes, quiet_hours, notify_resolved, enabled
    )
    values (
      ${workspaceId}, ${id}, ${fields.name ?? null}, ${fields.kind}, ${fields.target_id ?? null},
      ${fields.threshold ?? alertKinds[fields.kind].initial}, ${fields.window_minutes ?? 60},
      ${JSON.stringify(channels)}::text::jsonb, ${fields.repeat_after_minutes ?? 60},
      ${quietHours === null ? null : JSON.stringify(quietHours)}::text::jsonb,
      ${fields.notify_resolved ?? true}, ${fields.enabled ?? true}
    )
  `;
}

/** Changes the given fields; throws SP400 if the target or a channel does not exist. */
export async function changeAlertRule(
  tx: CallerSql,
  { workspaceId, id, fields }: AlertRuleId & { fields: AlertRuleFields },
): Promise<void> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const names = new Set(given.map(([name]) => name));
  const keep = (column: string) => names.has(column) ? tx`f.${tx(column)}` : tx`r.${tx(column)}`;
  await tx`
    update public.alert_rules as r
    set
      name = ${keep("name")}, target_id = ${keep("target_id")}, threshold = ${keep("threshold")},
      window_minutes = ${keep("window_minutes")}, channels = ${keep("channels")},
      repeat_after_minutes = ${keep("repeat_after_minutes")},
      quiet_hours = ${keep("quiet_hours")}, notify_resolved = ${keep("notify_resolved")},
      enabled = ${keep("enabled")}
    from jsonb_to_record(${JSON.stringify(fields)}::text::jsonb) as f (
      name text, target_id uuid, threshold numeric, window_minutes integer, channels jsonb,
      repeat_after_minutes integer, quiet_hours jsonb, notify_resolved boolean, enabled boolean
    )
    where r.workspace_id = ${workspaceId} and r.id = ${id}
  `;
}

/** Deletes a rule; returns its name, or undefined if it does not exist. */
export async function removeAlertRule(
  tx: CallerSql,
  { workspaceId, id }: AlertRuleId,
): Promise<string | undefined> {
  const rows = await tx<{ name: string }[]>`
    delete from public.alert_rules as r
    where r.workspace_id = ${workspaceId} and r.id = ${id}
    returning r.name
  `;
  return rows[0]?.name;
}

/** Sends a test notice to the channels of a rule; returns the id of the alert that records it. */
export async function testRule(
  tx: CallerSql,
  { workspaceId, id }: AlertRuleId,
): Promise<string> {
  const rows = await tx<{ id: string }[]>`
    select private.test_alert_rule(${workspaceId}, ${id}) as id
  `;
  return rows[0]!.id;
}
