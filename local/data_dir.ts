import { chownSync, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The directory of one running stack, locked until it is disposed of or the process ends. */
export interface DataDir extends Disposable {
  path: string;
}

/** Returns the folder of the stack's data: another one if Postgres cannot enter the directory. */
export function locateData(dir: DataDir): string {
  const cluster = join(clusterDir(dir), "cluster");
  return existsSync(cluster) ? realpathSync(cluster) : dir.path;
}

const lock = "lock";
const postgres = "postgres";

/**
 * Creates the directory when it is missing and takes its lock.
 *
 * @throws Error when another stack has it, or it cannot be written.
 */
export function openDataDir(path: string): DataDir {
  const file = openLock(path);
  if (!file.tryLockSync(true)) {
    file.close();
    const holder = readFileSync(join(path, lock), "utf8");
    throw new Error(
      `Cannot use data directory "${path}": another start (process ${holder}) is running on it`,
    );
  }
  file.truncateSync();
  file.writeSync(new TextEncoder().encode(String(Deno.pid)));
  return { path, [Symbol.dispose]: () => file.close() };
}

function openLock(path: string): Deno.FsFile {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return Deno.openSync(join(path, lock), { create: true, write: true, mode: 0o600 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Cannot use data directory "${path}": ${reason}`, { cause });
  }
}

/** Returns the folder of the embedded Postgres. */
export function clusterDir(dir: DataDir): string {
  return join(dir.path, postgres);
}

/** Contents of a JSON file, or null when there is none. */
export function readJson<T>(dir: DataDir, name: string): T | null {
  const path = join(dir.path, name);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    const reason = cause instanceof SyntaxError
      ? "it is damaged, --fresh starts over"
      : "it belongs to another user";
    throw new Error(`Cannot read "${path}": ${reason}`, { cause });
  }
}

/** Replaces a file as a whole, readable by its owner only: these files hold secrets. */
export function writeJson(dir: DataDir, name: string, value: unknown): void {
  const path = join(dir.path, name);
  const staging = `${path}.new`;
  rmSync(staging, { force: true });
  writeFileSync(staging, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  const owner = lstatSync(dir.path);
  // As root in somebody's directory: theirs to use again as themselves.
  if (Deno.uid() === 0) chownSync(staging, owner.uid, owner.gid);
  renameSync(staging, path);
}
