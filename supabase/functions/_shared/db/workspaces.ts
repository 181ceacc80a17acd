import type { CallerSql, Role } from "./caller.ts";
import { lastUuid, type PageRequest } from "./pages.ts";

/** A workspace as the api shows it to one of its members. */
export interface Workspace {
  id: string;
  name: string;
  plan: {
    id: string;
    ingest_per_second: number;
    ingest_burst: number;
    api_per_second: number;
    api_burst: number;
  };
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

function selectWorkspaces(tx: CallerSql, userId: string) {
  return tx`
    select
      w.id, w.name, to_jsonb(p) as plan, m.role, private.rfc3339(w.created_at) as created_at,
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

export async function renameWorkspace(
  tx: CallerSql,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<void> {
  await tx`
    update public.workspaces as w set name = ${name}, updated_at = now() where w.id = ${workspaceId}
  `;
}

/** Takes a workspace away from everybody; what was in it is erased in batches. */
export async function deleteWorkspace(tx: CallerSql, workspaceId: string): Promise<void> {
  await tx`select private.delete_workspace(${workspaceId})`;
}
