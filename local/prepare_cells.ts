import postgres from "postgres";
import { applyMigrations } from "./migrate.ts";

/**
 * Creates the databases of further cells on the first cell's server, with the migrations.
 *
 * @param count of all cells
 * @returns the addresses of the further cells, by cell
 */
export async function prepareCells(
  firstUrl: string,
  count: number,
): Promise<ReadonlyMap<string, string>> {
  const urls = new Map<string, string>();
  for (let i = 1; i < count; i++) {
    const cell = i.toString(16).padStart(2, "0");
    const url = new URL(firstUrl);
    url.pathname = `/cell_${cell}`;
    await prepareCell({ firstUrl, cell, url: url.href });
    urls.set(cell, url.href);
  }
  return urls;
}

async function prepareCell(
  { firstUrl, cell, url }: { firstUrl: string; cell: string; url: string },
): Promise<void> {
  const name = `cell_${cell}`;
  await run(firstUrl, async (sql) => {
    const [found] = await sql`select from pg_database where datname = ${name}`;
    if (found === undefined) await sql.unsafe(`create database ${name}`);
  });
  await applyMigrations(url);
  await run(url, (sql) => sql`select ops.name_cell(${cell})`);
}

async function run(url: string, work: (sql: postgres.Sql) => PromiseLike<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
