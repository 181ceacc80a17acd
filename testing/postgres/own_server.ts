import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { applyMigrations } from "../../local/migrate.ts";
import { startPostgres } from "../../local/postgres/postgres.ts";
import { copyCluster, findClusterFiles } from "./cluster_copy.ts";
import type { TestDatabase } from "./database.ts";
import { makeServerDir } from "./server_dir.ts";

/** Way a server ends: after a rollback, without one, or killed. */
export type ServerEnd = "fast" | "immediate" | "crash";

/** A Postgres of the test's own, which may end and start again, on the same port. */
export interface OwnServer {
  /** Migrated. Its connections survive an end of the server. */
  db: TestDatabase;
  /** Ends the server and waits until it is gone. */
  end(how: ServerEnd): Promise<void>;
  start(): Promise<void>;
  /** Ends the server and starts it again. */
  restart(how: ServerEnd): Promise<void>;
  /** Stops all its processes, as a host that hangs does, until the result is disposed. */
  pause(): Promise<Disposable>;
  [Symbol.asyncDispose](): Promise<void>;
}

const signals: Record<ServerEnd, Deno.Signal> = {
  fast: "SIGINT",
  immediate: "SIGQUIT",
  crash: "SIGKILL",
};

/** Starts a Postgres server for one test. */
export async function startOwnServer(
  { durable = false, isLogical = false } = {},
): Promise<OwnServer> {
  const dir = await makeServerDir({ durable });
  const password = await copyFiles(dir) ?? crypto.randomUUID();
  let server = await startPostgres({ dir, password, durable, isLogical });
  const { port, url } = server;
  // Changes nothing in a copy.
  await applyMigrations(url);
  const sql = postgres(url, { max: 10, fetch_types: false, onnotice: () => {} });
  const own: OwnServer = {
    db: { sql, url, [Symbol.asyncDispose]: () => sql.end({ timeout: 5 }) },
    async end(how) {
      Deno.kill(readProcessId(dir), signals[how]);
      await server.exited;
    },
    async start() {
      server = await startPostgres({ dir, password, port, durable, isLogical });
    },
    async restart(how) {
      await own.end(how);
      await own.start();
    },
    async pause() {
      const rows = await sql<{ pid: number }[]>`select pid from pg_stat_activity`;
      // The parent first, or it starts further processes.
      const pids = [readProcessId(dir), ...rows.map(({ pid }) => pid)];
      for (const pid of pids) Deno.kill(pid, "SIGSTOP");
      return {
        [Symbol.dispose]() {
          for (const pid of pids) Deno.kill(pid, "SIGCONT");
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 5 });
      await server.stop();
      await Deno.remove(dir, { recursive: true });
    },
  };
  return own;
}

/** Copies the migrated files of the test run; their password, or null without a copy. */
async function copyFiles(dir: string): Promise<string | null> {
  const files = findClusterFiles();
  return files !== null && await copyCluster(files.dir, dir) ? files.password : null;
}

/** Reads the id of the server's parent process. */
function readProcessId(dir: string): number {
  return Number(readFileSync(join(dir, "cluster", "postmaster.pid"), "utf8").split("\n")[0]);
}
