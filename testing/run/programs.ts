import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Path of a program; null where it is not installed. */
export function findOnPath(program: string): string | null {
  return listOnPath(program)[0] ?? null;
}

/**
 * Folder of the newest version of a program on the path. `npx` puts the folder of global packages
 * first, where a distribution may keep a compiler that is too old for today's libraries.
 *
 * @throws Error when the program is not installed
 */
export function findNewestFolder(program: string, versionArgument: string): string {
  const newest = listOnPath(program)
    .map((path) => ({ path, version: readVersion(path, versionArgument) }))
    .reduce<{ path: string; version: number[] } | null>(
      (best, next) => best && compareVersions(best.version, next.version) >= 0 ? best : next,
      null,
    );
  if (!newest) throw new Error(`"${program}" is not on the path`);
  return dirname(newest.path);
}

function listOnPath(program: string): string[] {
  // Debian keeps servers where only root looks.
  const directories = [...(Deno.env.get("PATH") ?? "").split(":"), "/usr/sbin"];
  return directories.map((directory) => join(directory, program)).filter((path) =>
    existsSync(path)
  );
}

/** Numbers of the first version in what a program prints; none when it fails. */
function readVersion(path: string, argument: string): number[] {
  const { success, stdout } = new Deno.Command(path, { args: [argument] }).outputSync();
  const version = success && /\d+(\.\d+)+/.exec(new TextDecoder().decode(stdout));
  return version ? version[0].split(".").map(Number) : [];
}

/** @returns a negative number when `a` is older than `b`, a positive one when it is newer */
function compareVersions(a: number[], b: number[]): number {
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = (a[index] ?? -1) - (b[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
