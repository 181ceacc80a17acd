import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { applyMigrations } from "../../local/migrate.ts";
import { startTestCluster } from "../../testing/postgres/cluster.ts";

/** File with the schema that the migrations create in an empty database, for reviews. */
export const snapshotFile = fileURLToPath(
  new URL("../../tests/snapshots/schema.sql", import.meta.url),
);
const queryFile = fileURLToPath(new URL("snapshot_query.sql", import.meta.url));

/**
 * Tables, columns, constraints, indexes, policies, grants, triggers, views, types, functions and
 * comments of our schemas, the same text for the same schema on every machine.
 */
export async function describeSchema(sql: postgres.Sql): Promise<string> {
  const query = await Deno.readTextFile(queryFile);
  const rows = await sql.begin(async (tx) => {
    // With nothing on the path every name is written with its schema.
    await tx`set local search_path = ''`;
    return await tx.unsafe<{ path: string; line: string }[]>(query);
  });
  const blocks = Map.groupBy(rows, ({ path }) => path);
  const text = [...blocks.values()].map((lines) => lines.map(({ line }) => line).join("\n"));
  return `-- Written by deno task db:release\n\n${text.join("\n\n")}\n`;
}

/**
 * Writes the snapshot from the migrations, applied to a server of its own. Returns false if it is
 * up to date.
 */
export async function writeSnapshot(): Promise<boolean> {
  await using cluster = await startTestCluster();
  await applyMigrations(cluster.url);
  const sql = postgres(cluster.url, { max: 1 });
  const text = await describeSchema(sql);
  await sql.end();
  if (existsSync(snapshotFile) && await Deno.readTextFile(snapshotFile) === text) return false;
  await Deno.mkdir(dirname(snapshotFile), { recursive: true });
  await Deno.writeTextFile(snapshotFile, text);
  return true;
}
