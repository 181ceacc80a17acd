import type { CallerSql, Role } from "../../../_shared/access/caller.ts";
import type { OwnLimit } from "../../contract/workspaces.ts";
import { lastUuid, type PageRequest } from "../../kernel/pages.ts";

/** A plan's quotas and limits. */
export interface Plan extends Record<`max_${OwnLimit}`, number> {
  id: string;
  ingest_per_second: number;
  ingest_burst: number;
  api_per_second: number;
  api_burst: number;
  ingest_bytes_per_day: number;
  /** Refused entries that are kept of a UTC day. */
  rejected_entries_per_day: number;
  rejected_bytes_per_day: number;
  /** Workspaces of this plan that one user may create; null: any number. */
  max_workspaces_per_user: number | null;
  /** Live secrets of one destination or source, and device tokens of one customer. */
  max_destination_secrets: number;
  max_source_secrets: number;
  max_device_tokens: number;
}

/** A workspace as the api shows it to one of its members. */
export interface Workspace {
  id: string;
  name: string;
  plan: Plan;
  fill_browser_ip: boolean;
  role: Role;
  created_at: string;
  updated_at: string;
}

/** The caller's workspaces, newest first. */
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

/** One workspace of the caller; undefined where it is none of theirs. */
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

/** How many of each limited kind a workspace of the caller has. */
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
      w.id, w.name, to_jsonb(p) as plan, w.fill_browser_ip, m.role, private.rfc3339(w.created_at) as created_at,
      private.rfc3339(w.updated_at) as updated_at
    from public.workspace_members as m
    join public.workspaces as w on w.id = m.workspace_id and m.user_id = ${userId}
    join public.plans as p on p.id = w.plan_id
  `;
}

/** Makes a workspace that the caller owns; its id. */
export async function createWorkspace(tx: CallerSql, name: string): Promise<string> {
  const rows = await tx<{ id: string }[]>`select private.create_workspace(${name}) as id`;
  return rows[0]!.id;
}

/** Fields of a workspace that its owners change; what is left out stays. */
export interface WorkspaceEdit {
  name?: string | undefined;
  fill_browser_ip?: boolean | undefined;
}

export async function changeWorkspace(
  tx: CallerSql,
  { workspaceId, name, fill_browser_ip }: WorkspaceEdit & { workspaceId: string },
): Promise<void> {
  await tx`
    update public.workspaces as w
    set
      name = coalesce(${name ?? null}, w.name),
      fill_browser_ip = coalesce(${fill_browser_ip ?? null}, w.fill_browser_ip),
      updated_at = now()
    where w.id = ${workspaceId}
  `;
}

/** Takes a workspace away from everybody; what was in it is erased in batches. */
export async function deleteWorkspace(tx: CallerSql, workspaceId: string): Promise<void> {
  await tx`select private.delete_workspace(${workspaceId})`;
}
