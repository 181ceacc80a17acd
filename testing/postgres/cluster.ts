import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { applyMigrations, type Migration, readMigrations } from "../../local/migrate.ts";
import {
  type PostgresOptions,
  type PostgresServer,
  startPostgres,
} from "../../local/postgres/postgres.ts";
import { type ClusterFiles, copyCluster } from "./cluster_copy.ts";
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

/** Postgres server of `deno task test`, and what its tests copy. */
export interface MigratedCluster extends TestCluster {
  /** Name of the migrated database that tests clone. */
  template: string;
  /** Files for tests with a server of their own; null if they cannot be copied. */
  files: ClusterFiles | null;
}

/** Starts a server like `startTestCluster`, and applies the migrations once for all copies. */
export async function startMigratedCluster(): Promise<MigratedCluster> {
  const dir = await makeServerDir({ durable: false });
  const password = crypto.randomUUID();
  const first = await startPostgres({ dir, password, durable: false });
  const migrations = readMigrations();
  await applyMigrations(first.url, migrations);
  await first.stop();
  const filesDir = join(dir, "files");
  mkdirSync(filesDir);
  const isCopied = await copyCluster(dir, filesDir);
  const server = await startPostgres({ dir, password, durable: false });
  const template = nameTemplate(migrations);
  const outside = new URL(server.url);
  outside.pathname = "/template1";
  // Renamed, because another copy would take longer.
  await runStatements(outside.href, [
    `alter database postgres rename to ${template}`,
    "create database postgres template template0",
    closeTemplate(template),
  ]);
  return {
    ...server,
    template,
    files: isCopied ? { dir: filesDir, password } : null,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

/** Makes the migrated database that tests clone, and returns its name. */
export async function createTemplate(cluster: PostgresServer): Promise<string> {
  const migrations = readMigrations();
  const name = nameTemplate(migrations);
  await runStatements(cluster.url, [`create database ${name}`]);
  const url = new URL(cluster.url);
  url.pathname = `/${name}`;
  await applyMigrations(url.href, migrations);
  await runStatements(cluster.url, [closeTemplate(name)]);
  return name;
}

function nameTemplate(migrations: readonly Migration[]): string {
  const hash = createHash("sha256").update(JSON.stringify(migrations)).digest("hex");
  return `template_${hash.slice(0, 16)}`;
}

/** A clone fails while anybody is connected to its template. */
function closeTemplate(name: string): string {
  return `alter database ${name} with is_template true allow_connections false`;
}

async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  const admin = postgres(url, { max: 1, fetch_types: false });
  try {
    for (const statement of statements) await admin.unsafe(statement);
  } finally {
    await admin.end();
  }
}
