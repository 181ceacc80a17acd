import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Result of a command of the CLI. */
export interface CliOutput {
  code: number;
  /** Both streams. */
  text: string;
}

const version = "3.1.0";
const supabase = fileURLToPath(new URL("../../supabase", import.meta.url));

/**
 * Copies the files of a checkout that the CLI reads into a new folder, where the CLI may leave its
 * own. Bundles are copied only on request: other tests may be writing them.
 */
export async function makeProject(
  { withBundles = false } = {},
): Promise<AsyncDisposable & { path: string }> {
  const path = await Deno.makeTempDir({ prefix: "signalpost-test-" });
  const wanted = ["config.toml", "migrations", ...(withBundles ? ["bundles"] : [])];
  for (const name of wanted.filter((name) => existsSync(join(supabase, name)))) {
    cpSync(join(supabase, name), join(path, "supabase", name), { recursive: true });
  }
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Runs the Supabase CLI, from npm, on a project. */
export async function runSupabase(
  project: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<CliOutput> {
  const { code, stdout, stderr } = await new Deno.Command("npx", {
    args: ["--yes", `supabase@${version}`, "--workdir", project, ...args],
    cwd: project,
    env: { DO_NOT_TRACK: "1", SUPABASE_TELEMETRY_DISABLED: "1", ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}
