import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface CliOutput {
  code: number;
  /** Both streams. */
  text: string;
}

const VERSION = "3.1.0";
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What the CLI reads of a checkout, in a directory of its own, where it may leave its files. */
export async function makeProject(): Promise<AsyncDisposable & { path: string }> {
  const path = await Deno.makeTempDir({ prefix: "signalpost-test-" });
  cpSync(join(ROOT, "supabase"), join(path, "supabase"), { recursive: true });
  cpSync(join(ROOT, "deno.json"), join(path, "deno.json"));
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Runs the Supabase CLI, from npm, on a project. */
export async function runSupabase(
  project: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<CliOutput> {
  const { code, stdout, stderr } = await new Deno.Command("npx", {
    args: ["--yes", `supabase@${VERSION}`, "--workdir", project, ...args],
    cwd: project,
    env: { DO_NOT_TRACK: "1", SUPABASE_TELEMETRY_DISABLED: "1", ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}
