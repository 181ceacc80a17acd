import { createHash } from "node:crypto";
import postgres from "postgres";
import { applyMigrations, readMigrations } from "../../local/migrate.ts";
import {
  type PostgresOptions,
  type PostgresServer,
  startPostgres,
} from "../../local/postgres/postgres.ts";
import { makeServerDir } from "./server_dir.ts";

/** Postgres server of a test run. */
export interface TestCluster extends PostgresServer {
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a Postgres of its own in a temporary directory, which is removed at the end. */
export async function startTestCluster(
  options: Pick<PostgresOptions, "package"> = {},
): Promise<TestCluster> {
  const dir = await makeServerDir({ durable: false });
  const server = await startPostgres({
    ...options,
    dir,
    password: crypto.randomUUID(),
    durable: false,
  });
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

/** Makes the migrated database that tests clone, and returns its name. */
export async function createTemplate(cluster: PostgresServer): Promise<string> {
  const migrations = readMigrations();
  const hash = createHash("sha256").update(JSON.stringify(migrations)).digest("hex");
  const name = `template_${hash.slice(0, 16)}`;
  const admin = postgres(cluster.url, { max: 1, fetch_types: false });
  try {
    await admin.unsafe(`create database ${name}`);
    const url = new URL(cluster.url);
    url.pathname = `/${name}`;
    await applyMigrations(url.href, migrations);
    // A clone fails while anybody is connected to its template.
    await admin.unsafe(`alter database ${name} with is_template true allow_connections false`);
  } finally {
    await admin.end();
  }
  return name;
}
