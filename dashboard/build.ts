import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL(".", import.meta.url));
const DIST = join(ROOT, "dist");
const INPUTS = ["index.html", "build.ts", "src", "public", "../deno.json"];

/** Builds the dashboard into `dashboard/dist`. */
export async function buildDashboard(): Promise<void> {
  const [{ build }, { default: react }] = await Promise.all([
    import("vite"),
    import("@vitejs/plugin-react"),
  ]);
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "warn",
    plugins: [react()],
    build: {
      outDir: DIST,
      emptyOutDir: true,
      // An inlined file would be a data: address, which the Content-Security-Policy refuses.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 900,
    },
  });
}

/** Whether a source is newer than what was built from it. */
export async function isDashboardStale(): Promise<boolean> {
  const builtAt = modifiedAt(join(DIST, "index.html"));
  if (builtAt === 0) return true;
  const newest = await Promise.all(INPUTS.map((path) => newestChange(join(ROOT, path))));
  return Math.max(...newest) > builtAt;
}

async function newestChange(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true }).catch(() => []);
  return Math.max(modifiedAt(path), ...entries.map((entry) => modifiedAt(join(path, entry))));
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (import.meta.main) await buildDashboard();
