import type postgres from "postgres";
import { databaseErrorCode } from "../../supabase/functions/_shared/db/errors.ts";
import type { CellConnection } from "./cell_connections.ts";
import { pause } from "./wait_until.ts";

/** Longest time for all tables: a fence that takes longer is opened and tried again. */
const fenceMs = 1_200;
const tries = 20;
const pauseMs = 500;

/**
 * Refuses all changes of a workspace in a cell.
 *
 * @throws Error when the tables are too busy; then nothing is refused.
 */
export async function closeFence(cell: CellConnection, workspaceId: string): Promise<void> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    if (await fenceAll(cell, workspaceId)) return;
    await openFence(cell, workspaceId);
    await pause(pauseMs);
  }
  throw new Error("Cannot switch: the tables are too busy, run it again");
}

async function fenceAll({ sql }: CellConnection, workspaceId: string): Promise<boolean> {
  const deadline = Date.now() + fenceMs;
  for (const table of await listTables(sql)) {
    while (!await callBriefly(sql, "fence_table", { workspaceId, table })) {
      if (Date.now() > deadline) return false;
    }
  }
  return true;
}

/** Allows changes of a workspace again. */
export async function openFence({ sql }: CellConnection, workspaceId: string): Promise<void> {
  for (const table of await listTables(sql)) {
    while (!await callBriefly(sql, "open_table", { workspaceId, table }));
  }
}

async function listTables(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`select t.name from ops.fenced_tables() as t`;
  return rows.map(({ name }) => name);
}

/** Calls a function of one table; false if its writers took too long. */
async function callBriefly(
  sql: postgres.Sql,
  name: "fence_table" | "open_table",
  { workspaceId, table }: { workspaceId: string; table: string },
): Promise<boolean> {
  try {
    await sql`select ops.${sql(name)}(${workspaceId}, ${table}::text::regclass)`;
    return true;
  } catch (error) {
    if (["55P03", "40P01"].includes(databaseErrorCode(error) ?? "")) return false;
    throw error;
  }
}
