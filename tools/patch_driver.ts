import {
  copyFileSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { applyPatch, parsePatch, type StructuredPatch } from "diff";

const root = fileURLToPath(new URL("..", import.meta.url));
const installed = join(root, "node_modules", "postgres");

/**
 * Applies `patches/postgres.patch` to the driver in `node_modules`; does nothing when that was done
 * already.
 *
 * @throws Error when the packages cannot be installed, or the patch does not fit.
 */
export function patchDriver(): void {
  const patch = readFileSync(join(root, "patches", "postgres.patch"), "utf8");
  if (!existsSync(installed)) installPackages();
  const dir = realpathSync(installed);
  for (const file of parsePatch(patch)) patchFile(dir, file);
}

function installPackages(): void {
  const { success, stderr } = new Deno.Command(Deno.execPath(), {
    args: ["install", "--quiet"],
    cwd: root,
  }).outputSync();
  if (success) return;
  throw new Error(`Cannot install the packages: ${new TextDecoder().decode(stderr).trim()}`);
}

function patchFile(dir: string, file: StructuredPatch): void {
  const name = file.oldFileName!.replace(/^a\//, "");
  const path = join(dir, name);
  const original = `${path}.original`;
  if (!existsSync(original)) copyFileSync(path, original);
  const text = applyPatch(readFileSync(original, "utf8"), file);
  if (text === false) {
    throw new Error(`Cannot patch the database driver: postgres.patch does not fit "${name}"`);
  }
  // An installation of the packages may have put the original back.
  if (readFileSync(path, "utf8") === text) return;
  // A new file in its place, in one step: npm's cache shares the old one with other projects, and
  // somebody may be loading it.
  const next = `${path}.${Deno.pid}`;
  writeFileSync(next, text);
  renameSync(next, path);
}

if (import.meta.main) patchDriver();
