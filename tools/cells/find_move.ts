import type { Cells } from "../../supabase/functions/_shared/config/cells.ts";
import type { CellConnection } from "./cell_connections.ts";

/** A row of `private.workspace_moves`. */
export interface MoveRow {
  direction: "in" | "out";
  /** The other cell. */
  cell: string;
  state: "copying" | "switching" | "moved" | "arriving" | "adopted";
  switchedAt: Date | null;
}

/** A move, as the two databases know it. */
export interface Move {
  source: CellConnection;
  planId: string;
  /** In the cell that the workspace leaves. */
  out: MoveRow | undefined;
  /** In the cell to which it moves. */
  arrival: MoveRow | undefined;
}

interface Known {
  cell: CellConnection;
  name: string;
  planId: string | null;
  row: MoveRow | undefined;
}

/**
 * Finds the move of a workspace to a cell, or the move to start.
 *
 * @returns undefined if the workspace is there and nothing is left to do.
 * @throws Error when there is no such workspace, it is moving elsewhere, or a cell has another name.
 */
export async function findMove(
  cells: Cells<CellConnection>,
  { workspaceId, to }: { workspaceId: string; to: string },
): Promise<Move | undefined> {
  const known = await Promise.all([...cells.values()].map((cell) => askCell(cell, workspaceId)));
  const target = known.find(({ cell }) => cell.id === to)!;
  const leaving = known.find(({ row }) => row?.direction === "out");
  if (leaving !== undefined && leaving.row!.cell !== to) {
    throw new Error(`Cannot move to "${to}": the workspace is moving to "${leaving.row!.cell}"`);
  }
  const arrival = target.row?.direction === "in" ? target.row : undefined;
  const other = arrival && known.find(({ cell }) => cell.id === arrival.cell);
  const source = leaving ?? other ?? known.find(({ planId }) => planId !== null);
  if (source === undefined) {
    throw new Error(`Cannot move workspace "${workspaceId}": no cell has it`);
  }
  if (source.cell.id === to) return undefined;
  return { source: source.cell, planId: source.planId ?? "", out: leaving?.row, arrival };
}

async function askCell(cell: CellConnection, workspaceId: string): Promise<Known> {
  const [row] = await cell.sql<
    (Omit<Known, "cell" | "row"> & { [K in keyof MoveRow]: MoveRow[K] | null })[]
  >`
    select
      private.cell_name() as name,
      (select w.plan_id from public.workspaces as w where w.id = ${workspaceId}) as "planId",
      m.direction, m.cell, m.state, m.switched_at as "switchedAt"
    from (select) as one
    left join private.workspace_moves as m on m.workspace_id = ${workspaceId}
  `;
  const { name, planId, ...move } = row!;
  if (name !== cell.id) {
    throw new Error(`Cannot use cell "${cell.id}": its database is named "${name}"`);
  }
  return { cell, name, planId, row: move.direction === null ? undefined : move as MoveRow };
}
