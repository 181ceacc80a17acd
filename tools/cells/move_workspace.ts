import { isUnavailable } from "../../supabase/functions/_shared/db/errors.ts";
import { type Cells, firstCell, firstOf } from "../../supabase/functions/_shared/config/cells.ts";
import type { CellConnection } from "./cell_connections.ts";
import { closeFence, openFence } from "./fence.ts";
import { findMove, type Move } from "./find_move.ts";
import {
  catchUp,
  type Replication,
  startReplication,
  stopReplication,
  waitForCopy,
  waitForLastChanges,
} from "./replication.ts";
import { pause, waitUntil } from "./wait_until.ts";

/** Steps of a move, in order; each is repeated after a failure until it has been done. */
export const moveSteps = [
  "start",
  "copy",
  "hold",
  "fence",
  "take_out",
  "adopt",
  "redirect",
  "clean",
  "open",
] as const;

export type MoveStep = (typeof moveSteps)[number];

export interface MoveOptions {
  cells: Cells<CellConnection>;
  workspaceId: string;
  /** The cell to move to. */
  to: string;
  /** Called before each step. */
  onStep?: (step: MoveStep) => void | Promise<void>;
  /** Longest wait for the first copy. @default an hour */
  copyMs?: number;
  /** Longest wait until changes arrive soon; if they do not, the pause is longer. @default 60000 */
  catchUpMs?: number;
  /** Longest wait for deliveries in flight; later ones are sent again. @default 10000 */
  drainMs?: number;
  /** Time from the switch until the fence is opened: functions cache keys for 5 s. @default 15000 */
  settleMs?: number;
  /** Longest time without a database or a change before the move gives up. @default 60000 */
  outageMs?: number;
}

/** Result of a move. */
export interface MoveReport {
  /** Time for which changes were refused; undefined if an earlier run had refused them already. */
  pausedMs: number | undefined;
}

interface MoveRun extends Required<Omit<MoveOptions, "to">> {
  to: CellConnection;
  fencedAt: number | undefined;
  pausedMs: number | undefined;
}

/**
 * Moves a workspace to another cell, or continues with a move that was interrupted.
 *
 * @throws Error that says why it cannot continue; running it again continues.
 */
export async function moveWorkspace(options: MoveOptions): Promise<MoveReport> {
  const to = options.cells.get(options.to);
  if (to === undefined) throw new Error(`Cannot move: there is no cell "${options.to}"`);
  const run: MoveRun = {
    onStep: () => {},
    copyMs: 3_600_000,
    catchUpMs: 60_000,
    drainMs: 10_000,
    settleMs: 15_000,
    outageMs: 60_000,
    ...options,
    to,
    fencedAt: undefined,
    pausedMs: undefined,
  };
  await goOn(run.outageMs, async () => {
    while (await takeStep(run));
  });
  return { pausedMs: run.pausedMs };
}

/** Repeats the work while a database is out of reach. */
async function goOn(outageMs: number, work: () => Promise<void>): Promise<void> {
  let downSince: number | undefined;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const now = Date.now();
      downSince = downSince === undefined || now - downSince > 2 * outageMs ? now : downSince;
      if (now - downSince > outageMs) throw error;
      await pause(100);
    }
  }
}

/** Takes the next step; false if nothing is left to do. */
async function takeStep(run: MoveRun): Promise<boolean> {
  const { workspaceId, to } = run;
  const move = await findMove(run.cells, { workspaceId, to: to.id });
  if (move === undefined) return false;
  const { source, out, arrival } = move;
  if (out === undefined && arrival === undefined) {
    await run.onStep("start");
    await source.sql`select ops.start_move_out(${workspaceId}, ${to.id})`;
  } else if (out?.state === "copying") {
    await copyAndSwitchOff(run, move);
  } else if (out?.state === "switching" && arrival?.state === "arriving") {
    await adopt(run, move);
  } else if (out?.state === "switching" && arrival?.state === "adopted") {
    await redirect(run, move);
  } else {
    await clean(run, move);
  }
  return true;
}

async function copyAndSwitchOff(run: MoveRun, move: Move): Promise<void> {
  const { workspaceId, to, onStep } = run;
  const { source } = move;
  await onStep("copy");
  if (move.arrival === undefined) {
    await to.sql`select ops.start_move_in(${workspaceId}, ${source.id}, ${move.planId})`;
  }
  await startReplication(replicationOf(run, source));
  await waitForCopy(replicationOf(run, source), run.copyMs);
  await catchUp(replicationOf(run, source), run.catchUpMs);
  await onStep("hold");
  await holdDeliveries(run, source);
  await onStep("fence");
  run.fencedAt = performance.now();
  await closeFence(source, workspaceId);
  await onStep("take_out");
  await source.sql`select ops.take_out_workspace(${workspaceId})`;
}

/** Waits until no delivery is in flight, or for the time that the caller allows. */
async function holdDeliveries(run: MoveRun, source: CellConnection): Promise<void> {
  const deadline = Date.now() + run.drainMs;
  await waitUntil(async () => {
    const [row] = await source.sql<{ left: number }[]>`
      select ops.hold_deliveries(${run.workspaceId}) as left
    `;
    return row!.left === 0 || Date.now() > deadline;
  }, { limitMs: run.drainMs + 10_000, what: "holding deliveries", pauseMs: 50 });
}

async function adopt(run: MoveRun, { source }: Move): Promise<void> {
  const { workspaceId, to } = run;
  await run.onStep("adopt");
  await waitForLastChanges(replicationOf(run, source), { workspaceId, stallMs: run.outageMs });
  const [taken] = await source.sql<{ rows: string; accounts: string }[]>`
    select m.taken_rows::text as rows, private.export_accounts(array(
      select w.user_id from public.workspace_members as w where w.workspace_id = m.workspace_id
    ))::text as accounts
    from private.workspace_moves as m
    where m.workspace_id = ${workspaceId}
  `;
  const { rows, accounts } = taken!;
  await to.sql`
    select ops.adopt_workspace(
      ${workspaceId}, ${rows}::text::jsonb, ${accounts}::text::jsonb
    )
  `;
}

async function redirect(run: MoveRun, { source }: Move): Promise<void> {
  const { workspaceId, to, cells } = run;
  await run.onStep("redirect");
  if (to.id !== firstCell) {
    const [row] = await to.sql<{ ids: string }[]>`
      select private.member_user_ids(${workspaceId})::text as ids
    `;
    await firstOf(cells).sql`
      select private.set_directory(${workspaceId}, ${to.id}, ${row!.ids}::text::uuid[])
    `;
  }
  await source.sql`select ops.finish_move_out(${workspaceId})`;
  if (run.fencedAt !== undefined) run.pausedMs = Math.round(performance.now() - run.fencedAt);
}

async function clean(run: MoveRun, { source, out }: Move): Promise<void> {
  const { workspaceId, to } = run;
  await run.onStep("clean");
  await stopReplication(replicationOf(run, source));
  await deleteRows(source, workspaceId);
  const settledAt = (out?.switchedAt?.getTime() ?? 0) + run.settleMs;
  await pause(Math.max(0, settledAt - Date.now()));
  await run.onStep("open");
  await openFence(source, workspaceId);
  await source.sql`delete from private.workspace_moves where workspace_id = ${workspaceId}`;
  await to.sql`delete from private.workspace_moves where workspace_id = ${workspaceId}`;
}

async function deleteRows({ sql }: CellConnection, workspaceId: string): Promise<void> {
  let deleted: number;
  do {
    const [row] = await sql<{ deleted: number }[]>`
      select private.delete_moved_rows(${workspaceId}, 5000) as deleted
    `;
    deleted = row!.deleted;
  } while (deleted > 0);
}

function replicationOf(
  { workspaceId, to }: Pick<MoveRun, "workspaceId" | "to">,
  source: CellConnection,
): Replication {
  return { source, target: to, name: `signalpost_move_${workspaceId.replaceAll("-", "")}` };
}

/**
 * Undoes a move that has not switched yet, or finishes undoing one.
 *
 * @throws Error when the other cell has adopted the workspace: move it back instead.
 */
export async function undoMove(
  { cells, workspaceId, to: id, outageMs = 60_000 }: MoveOptions,
): Promise<void> {
  const to = cells.get(id);
  if (to === undefined) throw new Error(`Cannot undo the move: there is no cell "${id}"`);
  await goOn(outageMs, async () => {
    const gone = await to.sql`
      delete from private.workspace_moves
      where workspace_id = ${workspaceId} and direction = 'in' and state = 'arriving'
    `;
    const [left] = await to.sql`select from public.workspaces where id = ${workspaceId}`;
    if (gone.count === 0 && left !== undefined) {
      throw new Error(`Cannot undo the move: cell "${id}" has adopted the workspace`);
    }
    for (const cell of cells.values()) {
      if (cell.id === id) continue;
      const [out] = await cell.sql`
        select from private.workspace_moves
        where workspace_id = ${workspaceId} and direction = 'out'
      `;
      if (out !== undefined) await cell.sql`select ops.undo_move_out(${workspaceId})`;
      await openFence(cell, workspaceId);
      await stopReplication(replicationOf({ workspaceId, to }, cell));
    }
    await deleteRows(to, workspaceId);
  });
}
