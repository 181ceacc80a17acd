import type { Cells } from "../../supabase/functions/_shared/config/cells.ts";
import type { CellConnection } from "./cell_connections.ts";

const columns = [
  "cell",
  "workspaces",
  "bytes",
  "events_last_hour",
  "ingested_bytes_last_hour",
  "waiting_deliveries",
  "connections",
  "moves",
] as const;

/** Returns a table of the load and size of all cells: `ops.cells` of each. */
export async function showCells(cells: Cells<CellConnection>): Promise<string> {
  const rows = await Promise.all([...cells.values()].map(async ({ id, sql }) => {
    const [row] = await sql<Record<string, string | number>[]>`
      select ${sql(columns)} from ops.cells
    `;
    return columns.map((name) => String(name === "cell" ? id : row![name]));
  }));
  const table = [[...columns], ...rows];
  const widths = columns.map((_, i) => Math.max(...table.map((line) => line[i]!.length)));
  return table.map((line) => line.map((text, i) => text.padStart(widths[i]!)).join("  "))
    .join("\n");
}
