import postgres from "postgres";
import { databaseVariables, readConfig } from "../../supabase/functions/_shared/config/config.ts";
import { type Cells, firstCell, mapCells } from "../../supabase/functions/_shared/config/cells.ts";
import { z } from "zod";

/** The database of a cell, as an operator reaches it: directly, and as its owner. */
export interface CellConnection {
  id: string;
  /** Other cells' servers reach it by the same URL. */
  url: string;
  sql: postgres.Sql;
}

const schema = z.object({
  SUPABASE_DB_URL: databaseVariables.SUPABASE_DB_URL,
  CELL_DATABASE_URLS: databaseVariables.CELL_DATABASE_URLS,
});

/** Reads the URLs of all cells from the environment. */
export function readCellUrls(): Cells<string> {
  const { SUPABASE_DB_URL, CELL_DATABASE_URLS } = readConfig(schema);
  return new Map([[firstCell, SUPABASE_DB_URL], ...CELL_DATABASE_URLS ?? []]);
}

/** Connects to all cells; end each connection after use. */
export function connectToCells(urls: Cells<string>): Cells<CellConnection> {
  return mapCells(urls, (url, id) => ({
    id,
    url,
    sql: postgres(url, {
      max: 2,
      fetch_types: false,
      prepare: false,
      connect_timeout: 5,
      backoff: () => 0.1,
      onnotice: () => {},
      connection: { application_name: "signalpost-cells" },
    }),
  }));
}

/** Ends all connections. */
export async function disconnectCells(cells: Cells<CellConnection>): Promise<void> {
  await Promise.all([...cells.values()].map(({ sql }) => sql.end({ timeout: 2 })));
}
