import { statSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { joinModules } from "./join_modules.ts";
import { compressFiles } from "./compress_files.ts";
import { lateStyles } from "./late_styles.ts";
import { lighterParts } from "./lighter_parts.ts";
import { pageFiles } from "./page_files.ts";

const rootPath = fileURLToPath(new URL(".", import.meta.url));
const distPath = join(rootPath, "dist");
/** Held by the process that builds, so that stacks that start together do not all do it. */
const lockPath = join(rootPath, "../node_modules/.dashboard.lock");

/** Sources of the page. Forms check their input with the api's schemas, in its contract. */
const inputs = [
  "index.html",
  "build.ts",
  "join_modules.ts",
  "compress_files.ts",
  "late_styles.ts",
  "lighter_parts.ts",
  "page_files.ts",
  "plan_files.ts",
  "static_styles.ts",
  "src",
  "public",
  "../deno.json",
  "../supabase/functions/deno.json",
  "../supabase/functions/api/contract",
];

/** Builds the dashboard into `dashboard/dist`, replacing the folder in one step. */
export async function buildDashboard(): Promise<void> {
  const [{ build }, { default: react }, { staticStyles }] = await Promise.all([
    import("vite"),
    import("@vitejs/plugin-react"),
    import("./static_styles.ts"),
  ]);
  const joined = joinModules();
  // On the same disk, and in a folder that no tool reads sources from.
  const fresh = join(rootPath, `../node_modules/.dashboard-${Deno.pid}`);
  await build({
    root: rootPath,
    configFile: false,
    logLevel: "warn",
    plugins: [staticStyles(), lighterParts(), react(), joined.collect, lateStyles(), pageFiles()],
    build: {
      outDir: fresh,
      emptyOutDir: true,
      // The Content-Security-Policy forbids data: addresses, which inlined fonts would use.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 900,
      rolldownOptions: {
        // Slow machines would print where their time went.
        checks: { bundlerTimings: false },
        output: { codeSplitting: { includeDependenciesRecursively: false, groups: joined.groups } },
      },
    },
  });
  await compressFiles(fresh);
  await replace(distPath, fresh);
}

async function replace(target: string, fresh: string): Promise<void> {
  const old = `${fresh}.old`;
  await rename(target, old).catch(() => {});
  await rename(fresh, target).catch(() => rm(fresh, { recursive: true }));
  await rm(old, { recursive: true, force: true });
}

/** Returns whether any source is newer than the built page. */
export async function isDashboardStale(): Promise<boolean> {
  const builtAt = modifiedAt(join(distPath, "index.html"));
  if (builtAt === 0) return true;
  const newest = await Promise.all(inputs.map((path) => newestChange(join(rootPath, path))));
  return Math.max(...newest) > builtAt;
}

async function newestChange(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true }).catch(() => []);
  return Math.max(modifiedAt(path), ...entries.map((entry) => modifiedAt(join(path, entry))));
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Builds, unless another process did so while this one waited for its turn. */
async function buildInTurn(): Promise<void> {
  const askedAt = Date.now();
  using lock = await Deno.open(lockPath, { create: true, write: true });
  await lock.lock(true);
  if (modifiedAt(join(distPath, "index.html")) > askedAt && !await isDashboardStale()) return;
  await buildDashboard();
}

if (import.meta.main) await buildInTurn();
