import type { Role } from "../../contract/roles.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import type { OwnLimit } from "../../contract/workspaces.ts";
import { lastUuid, type PageRequest } from "../../kernel/page_queries.ts";

/** Quotas and limits of a plan. */
export interface Plan extends Record<`max_${OwnLimit}`, number> {
  id: string;
  ingest_per_second: number;
  ingest_burst: number;
  api_per_second: number;
  api_burst: number;
  ingest_bytes_per_day: number;
  /** Rejected entries kept per UTC day. */
  rejected_entries_per_day: number;
  rejected_bytes_per_day: number;
  /** Workspaces on this plan that one user may create; null means unlimited. */
  max_workspaces_per_user: number | null;
  /** Live secrets per destination or source, and device tokens per customer. */
  max_destination_secrets: number;
  max_source_secrets: number;
  max_device_tokens: number;
}

/** A workspace as the api returns it to a member. */
export interface Workspace {
  id: string;
  name: string;
  plan: Plan;
  fill_browser_ip: boolean;
  timezone: string;
  caps: { max: number; per: string }[];
  quiet_hours: { from: string; to: string } | null;
  track_opens: boolean;
  track_clicks: boolean;
  campaign_confirm_above: number;
  campaign_complaint_rate: number;
  sending_stopped_at: string | null;
  role: Role;
  created_at: string;
  updated_at: string;
}

/** Lists the caller's workspaces, newest first. */
export async function listWorkspaces(
  tx: CallerSql,
  { userId, limit, after }: PageRequest & { userId: string },
): Promise<Workspace[]> {
  return await tx<Workspace[]>`
    ${selectWorkspaces(tx, userId)}
    where m.user_id = ${userId} and w.id < ${after?.[0] ?? lastUuid}
    order by w.id desc
    limit ${limit + 1}
  `;
}

/** Returns one of the caller's workspaces, or undefined if it is not theirs. */
export async function findWorkspace(
  tx: CallerSql,
  { userId, workspaceId }: { userId: string; workspaceId: string },
): Promise<Workspace | undefined> {
  const rows = await tx<Workspace[]>`
    ${selectWorkspaces(tx, userId)}
    where m.user_id = ${userId} and w.id = ${workspaceId}
  `;
  return rows[0];
}

/** Counts each limited kind in one of the caller's workspaces. */
export async function findUse(
  tx: CallerSql,
  workspaceId: string,
): Promise<Record<OwnLimit, number>> {
  const rows = await tx<{ use: Record<OwnLimit, number> }[]>`
    select private.workspace_use(${workspaceId}) as use
  `;
  return rows[0]!.use;
}

function selectWorkspaces(tx: CallerSql, userId: string) {
  return tx`
    select
      w.id, w.name, to_jsonb(p) as plan, w.fill_browser_ip, w.timezone,
      coalesce(s.caps, '[]') as caps, s.quiet_hours, coalesce(s.track_opens, true) as track_opens,
      coalesce(s.track_clicks, true) as track_clicks,
      coalesce(s.campaign_confirm_above, 10000) as campaign_confirm_above,
      coalesce(s.campaign_complaint_rate, 0.5)::double precision as campaign_complaint_rate,
      private.rfc3339(s.stopped_at) as sending_stopped_at, m.role,
      private.rfc3339(w.created_at) as created_at, private.rfc3339(w.updated_at) as updated_at
    from public.workspace_members as m
    join public.workspaces as w on w.id = m.workspace_id and m.user_id = ${userId}
    join public.plans as p on p.id = w.plan_id
    left join public.send_settings as s on s.workspace_id = w.id
  `;
}

/** Creates a workspace that the caller owns; returns its id. */
export async function createWorkspace(tx: CallerSql, name: string): Promise<string> {
  const rows = await tx<{ id: string }[]>`select private.create_workspace(${name}) as id`;
  return rows[0]!.id;
}

/** Fields that owners may change; an omitted field keeps its value. */
export interface WorkspaceEdit {
  name?: string | undefined;
  fill_browser_ip?: boolean | undefined;
  timezone?: string | undefined;
}

interface WorkspaceChange extends WorkspaceEdit {
  workspaceId: string;
  /** True if something else of the workspace has changed. */
  hasChanged: boolean;
}

/** Changes the given fields. The time of the last change moves only with a change. */
export async function changeWorkspace(
  tx: CallerSql,
  { workspaceId, name, fill_browser_ip, timezone, hasChanged }: WorkspaceChange,
): Promise<void> {
  await tx`
    update public.workspaces as w
    set
      name = n.name, fill_browser_ip = n.fill_browser_ip, timezone = n.timezone, updated_at = now()
    from public.workspaces as o
    cross join lateral (
      select
        coalesce(${name ?? null}, o.name) as name,
        coalesce(${fill_browser_ip ?? null}, o.fill_browser_ip) as fill_browser_ip,
        coalesce(${timezone ?? null}, o.timezone) as timezone
    ) as n
    where w.id = ${workspaceId} and o.id = w.id and (
      ${hasChanged} or (n.name, n.fill_browser_ip, n.timezone)
        is distinct from (o.name, o.fill_browser_ip, o.timezone)
    )
  `;
}

/** Removes everyone's access to a workspace; its data is erased in batches. */
export async function deleteWorkspace(tx: CallerSql, workspaceId: string): Promise<void> {
  await tx`select private.delete_workspace(${workspaceId})`;
}
