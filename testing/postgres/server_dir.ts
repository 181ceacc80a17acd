import { chmodSync, existsSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** A file system in memory, on Linux. */
const memory = "/dev/shm";
const prefix = "signalpost-";
/** Bytes that must be free: a test run needs about a quarter of them. */
const needed = 4 * 1024 ** 3;

/**
 * Makes the directory of a server that lives as long as its test. It is in memory if there is room,
 * because copies of databases take an eighth of the time there; a `durable` server is on the disk.
 */
export async function makeServerDir({ durable }: { durable: boolean }): Promise<string> {
  const isInMemory = !durable && hasRoom();
  if (isInMemory) removeLeftovers();
  const dir = await Deno.makeTempDir({
    prefix: `${prefix}${Deno.pid}-`,
    ...(isInMemory ? { dir: memory } : {}),
  });
  // As root, Postgres runs as another user, who must be able to enter.
  chmodSync(dir, 0o711);
  return dir;
}

function hasRoom(): boolean {
  if (Deno.build.os !== "linux" || !existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return Math.min(bavail * bsize, Deno.systemMemoryInfo().available) >= needed;
}

/** Removes what runs left behind that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(memory)) {
    const pid = name.startsWith(prefix) ? name.slice(prefix.length).split("-")[0] : undefined;
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    rmSync(join(memory, name), { recursive: true, force: true });
  }
}
