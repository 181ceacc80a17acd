import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface CliOutput {
  code: number;
  /** Both streams. */
  text: string;
}

const version = "3.1.0";
const supabase = fileURLToPath(new URL("../../supabase", import.meta.url));

/**
 * What the CLI reads of a checkout, in a directory of its own, where it may leave its files. Bundles
 * come along only where they are wanted: while others copy, they may be written.
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
