import { existsSync, readdirSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type OutputChunk, type Plugin } from "rolldown";
import { keepMinified, pasteMinified } from "./minified_packages.ts";
import { patchDriver } from "./patch_driver.ts";
import { inlineMap, keepLines } from "./source_map.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const functions = join(root, "supabase", "functions");
const bundlesFolder = join(root, "supabase", "bundles");

const timers = ["Timeout", "Interval", "Immediate"].flatMap((
  name,
) => [`set${name}`, `clear${name}`]);

/**
 * Globals that Deno provides only to packages from npm. Without them "Buffer" is not defined, and
 * timers have no "unref".
 */
const nodeGlobals: Record<string, [module: string, name: string]> = {
  Buffer: ["node:buffer", "Buffer"],
  process: ["node:process", "default"],
  ...Object.fromEntries(timers.map((name) => [name, ["node:timers", name]])),
};

/** One function as a file that imports nothing but `node:` modules. */
export interface Bundle {
  name: string;
  code: string;
}

/** The functions of `supabase/functions`, in order. */
export function listFunctions(): string[] {
  return readdirSync(functions).filter((name) => existsSync(join(functions, name, "index.ts")))
    .sort();
}

/**
 * Bundles one function. The same sources give the same bytes on every machine.
 *
 * @throws Error when an import cannot be resolved.
 */
export async function bundleFunction(name: string): Promise<Bundle> {
  patchDriver();
  const { output } = await build({
    cwd: root,
    input: join(functions, name, "index.ts"),
    write: false,
    platform: "node",
    plugins: [nodeModules, keepMinified],
    resolve: { conditionNames: ["deno", "import", "module", "default"] },
    transform: { inject: nodeGlobals, define: { global: "globalThis" } },
    // A long build is not a fault of the sources.
    checks: { pluginTimings: false },
    onLog: (level, { message }) => {
      if (level === "warn") throw new Error(`Cannot bundle "${name}": ${message}`);
    },
    // Names and lines stay, so that a stack trace can be read without its map as well.
    output: {
      format: "esm",
      codeSplitting: false,
      sourcemap: true,
      sourcemapPathTransform: nameSource,
      minify: false,
    },
  });
  const [{ code, map }] = output as [OutputChunk];
  return {
    name,
    code: pasteMinified(code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n")) +
      inlineMap(keepLines(map!)),
  };
}

/** Built-in modules by the only name that Deno knows them by. */
const nodeModules: Plugin = {
  name: "node-modules",
  resolveId(specifier) {
    const name = specifier.replace(/^node:/, "");
    if (name === specifier && !builtinModules.includes(name)) return null;
    return { id: `node:${name}`, external: true };
  },
};

/** `signalpost:supabase/functions/…` and `npm:zod@…`: Deno shows a URL as it is. */
function nameSource(source: string, mapPath: string): string {
  const path = relative(root, resolve(dirname(mapPath), source)).replaceAll("\\", "/");
  const packaged = /node_modules\/\.deno\/([^/]+)\/node_modules\/(?:@[^/]+\/)?[^/]+\/(.*)/.exec(
    path,
  );
  return packaged ? `npm:${packaged[1]}/${packaged[2]}` : `signalpost:${path}`;
}

/** Writes `supabase/bundles/<name>/index.js`; after a failure nothing old is left to deploy. */
async function writeBundles(): Promise<void> {
  await rm(bundlesFolder, { recursive: true, force: true });
  const bundles = await Promise.all(listFunctions().map(bundleFunction));
  for (const { name, code } of bundles) {
    const path = join(bundlesFolder, name, "index.js");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, code);
    say(`${relative(root, path)}  ${Math.ceil(code.length / 1024)} KB`);
  }
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) await writeBundles();
