import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { clusterName } from "./postgres_server.ts";
import { runAs } from "./system_user.ts";

const stopMs = 30_000;
const pollMs = 50;

/**
 * Clears the way when `data` has a `postmaster.pid` before anything was started: stops the server
 * that a killed run of ours left behind, and removes the file of one that is gone.
 *
 * @throws Error when the server is somebody else's, or does not stop.
 */
export async function stopOrphan(data: string): Promise<void> {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  if (isOwnCluster(data)) await stopServer(pid, data);
  else if (await isPostgres(pid)) {
    throw new Error(
      `Cannot use data directory "${data}": another Postgres (process ${pid}) runs on it`,
    );
  }
  // A number that now belongs to any other process would look like a live server to Postgres.
  rmSync(file, { force: true });
}

/** Returns true if the last server on this data directory was ours. */
export function isOwnCluster(data: string): boolean {
  return readOptional(join(data, "postmaster.opts")).includes(clusterName);
}

async function stopServer(pid: number, data: string): Promise<void> {
  if (!await isServerOf(pid, data)) return;
  Deno.kill(pid, "SIGINT");
  const deadline = Date.now() + stopMs;
  while (await isServerOf(pid, data)) {
    if (Date.now() > deadline) {
      throw new Error(`Cannot stop Postgres process ${pid}, left behind by an earlier run`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/**
 * Returns true if the process is our server on this data directory, whose real path it was started
 * with. The name is not enough: the id may now belong to another stack's server.
 */
async function isServerOf(pid: number, data: string): Promise<boolean> {
  if (Deno.build.os === "linux") {
    return readOptional(`/proc/${pid}/cmdline`).includes(`\0-D\0${data}\0`);
  }
  const { success, output } = await runAs(null, "ps", ["-ww", "-o", "args=", "-p", String(pid)]);
  return success && output.includes(` -D ${data} -c `);
}

/** Returns true if the process is alive (not a zombie) and is a Postgres. */
async function isPostgres(pid: number): Promise<boolean> {
  if (Deno.build.os === "linux") {
    const stat = readOptional(`/proc/${pid}/stat`);
    // "pid (name) state …", and the name may hold anything.
    return /^\d+ \(postgres\) [^ZX]/.test(stat);
  }
  const args = ["-o", "stat=,comm=", "-p", String(pid)];
  const { success, output } = await runAs(null, "ps", args);
  return success && !output.startsWith("Z") && output.includes("postgres");
}

function readOptional(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
