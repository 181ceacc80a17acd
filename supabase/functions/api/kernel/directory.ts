import type { SessionCaller } from "./caller.ts";
import type { Sql } from "../../_shared/db/connect.ts";
import { type Cells, firstCell, firstOf } from "../../_shared/config/cells.ts";
import type { ApiCell } from "./api_cell.ts";
import {
  type AskedWorkspaces,
  type FindSession,
  findSession,
  listMemberships,
  type LiveSession,
} from "./live_sessions.ts";

/** A workspace of a user outside the first cell. */
interface DirectoryRow {
  workspaceId: string;
  cell: string;
}

/** Creates the look-up of sessions. Only with several cells does it read the directory. */
export function createSessionFinder(cells: Cells<ApiCell>): FindSession {
  const { sql, checkRole } = firstOf(cells);
  if (cells.size === 1) return (caller) => findSession(sql, caller);
  return async (caller, asked) => {
    await checkRole();
    const [session, directory] = await Promise.all([
      findSession(sql, caller),
      listDirectory(sql, caller.userId),
    ]);
    return session.state === "active"
      ? await addOtherCells(cells, { session, caller, asked, directory })
      : session;
  };
}

interface KnownSession {
  session: LiveSession;
  caller: SessionCaller;
  asked: AskedWorkspaces;
  directory: readonly DirectoryRow[];
}

async function addOtherCells(
  cells: Cells<ApiCell>,
  { session, caller, asked: { isAny, named }, directory }: KnownSession,
): Promise<LiveSession> {
  const own = session.memberships.filter(({ workspaceId }) =>
    !directory.some((row) => row.workspaceId === workspaceId)
  );
  const rows = named === undefined
    ? isAny ? directory : []
    : directory.filter(({ workspaceId }) => workspaceId === named.toLowerCase());
  const found = await Promise.all([...new Set(rows.map(({ cell }) => cell))].map(async (id) => {
    const cell = cells.get(id);
    await cell?.checkRole();
    const memberships = cell === undefined ? [] : await listMemberships(cell.sql, caller.userId);
    return memberships.map((membership) => ({ ...membership, cell: id }));
  }));
  const others = found.flat().filter(({ workspaceId }) =>
    rows.some((row) => row.workspaceId === workspaceId)
  );
  const known = new Set(directory.map(({ cell }) => cell));
  return { ...session, memberships: [...own, ...others], cells: [firstCell, ...known] };
}

async function listDirectory(sql: Sql, userId: string): Promise<DirectoryRow[]> {
  return await sql<DirectoryRow[]>`
    select d.workspace_id as "workspaceId", d.cell from private.user_directory(${userId}) as d
  `;
}

/** Copies the members of a workspace outside the first cell to the directory. */
export async function updateDirectory(
  cells: Cells<ApiCell>,
  { cell, workspaceId }: { cell: ApiCell; workspaceId: string },
): Promise<void> {
  if (cell.id === firstCell) return;
  const [row] = await cell.sql<{ userIds: string }[]>`
    select private.member_user_ids(${workspaceId})::text as "userIds"
  `;
  await firstOf(cells).sql`
    select private.set_directory(${workspaceId}, ${cell.id}, ${row!.userIds}::text::uuid[])
  `;
}

/** Copies the account of a caller to a cell, so that its invitations can be found there. */
export async function copyAccount(
  cells: Cells<ApiCell>,
  { cell, caller }: { cell: ApiCell; caller: SessionCaller },
): Promise<void> {
  if (cell.id === firstCell) return;
  const [row] = await firstOf(cells).sql<{ account: string | null }[]>`
    select private.export_accounts(array[${caller.userId}::uuid])::text as account
  `;
  await cell.checkRole();
  await cell.sql`select private.import_accounts(${row?.account ?? "[]"}::text::jsonb)`;
}
